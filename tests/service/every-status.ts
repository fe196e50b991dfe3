import assert from 'node:assert/strict'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { changeWhen, created, ended, often, shop, stepAt } from '../support/changes.ts'
import type { Gates } from '../support/gates.ts'
import type { TestService } from '../support/service.ts'
import { began, published, runEnded, runStepWhen, runWhen, stepsOfRun } from '../support/workflows.ts'

/** A change or a run in each reported status, with steps in each reported status of steps. */

const actions = (gates: string) => `
actions:
  good: { steps: [one, two] }
  bad: { steps: [one, fails, two] }
  holds: { steps: [one, { wait: Hold, steps: [one] }, two] }
  moment: { steps: [{ wait: Later, seconds: 86400 }] }
  asks: { steps: [{ input: Which_, arguments: [{ name: colour }] }] }
  signed: { steps: [one, { name: Both, run_as: parallel, steps: [{ wait: Sign, approvers: { user_names: [boss] } }, { wait: Hold }] }] }
  refused: { steps: [{ wait: Sign, approvers: { user_names: [boss] } }, two] }
  stopped: { steps: [one, { wait: Hold }] }
  again: { steps: [{ wait: Hold }, two] }
  long: { run_as: parallel, steps: [slow, slow] }
  later: { steps: [one] }
  young: { steps: [one] }
  broken: { steps: [one] }
  one: { run: echo one }
  two: { run: echo two }
  fails: { run: exit 3 }
  slow: { run: 'until [ -e ${gates}/on ]; do sleep 0.05; done' }
`

const sign = 'type: wait, name: Sign, requires_approval_from: { user_names: [boss] }'
const workflows: Readonly<Record<string, string>> = {
  'run-held': 'steps: [{ type: wait, name: Hold }, { type: wait, name: more }]',
  'run-done': 'steps: [{ type: wait, name: go }, { type: wait, name: left out }]',
  'run-fallen': 'steps: [{ type: workflow, target: "{{ next }}", name: down }, { type: wait, name: never }]',
  'run-signed': `steps: [{ name: Both, run_as: parallel, children: [{ ${sign} }, { type: wait, name: Hold }] }]`,
  'run-refused': `steps: [{ ${sign} }, { type: wait, name: never }]`,
  'run-stopped': 'steps: [{ type: wait, name: Hold }]',
  'run-outer': 'steps: [{ type: workflow, target: run-held, name: inner }]',
  'run-soon': 'steps: [{ type: wait, name: Hold }]',
  'run-broken': 'steps: [{ type: wait, name: ask }, { type: workflow, target: run-held, name: lost }]',
}

/** Statuses by name: the status of a record, and those of its steps. */
export type Expected = Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>>

export const expectedChanges: Expected = {
  good: ['success', { good: 'success', 'good/one': 'skipped', 'good/two': 'success' }],
  bad: ['error', { bad: 'error', 'bad/one': 'success', 'bad/fails': 'error', 'bad/two': 'aborted' }],
  holds: [
    'waiting',
    {
      holds: 'running',
      'holds/one': 'success',
      'holds/Hold': 'waiting',
      'holds/Hold/one': 'pending',
      'holds/two': 'pending',
    },
  ],
  moment: ['waiting', { moment: 'running', 'moment/Later': 'waiting' }],
  asks: ['waiting', { asks: 'running', 'asks/Which_': 'waiting' }],
  signed: [
    'waiting_for_approval',
    {
      signed: 'running',
      'signed/one': 'success',
      'signed/Both': 'running',
      'signed/Both/Sign': 'waiting_for_approval',
      'signed/Both/Hold': 'waiting',
    },
  ],
  refused: ['rejected', { refused: 'aborted', 'refused/Sign': 'rejected', 'refused/two': 'aborted' }],
  stopped: ['cancelled', { stopped: 'cancelled', 'stopped/one': 'success', 'stopped/Hold': 'cancelled' }],
  again: ['queued', { again: 'running', 'again/Hold': 'success', 'again/two': 'queued' }],
  long: ['running', { long: 'running', 'long/slow-1': 'running', 'long/slow-2': 'queued' }],
  later: ['pending', { later: 'pending', 'later/one': 'pending' }],
  young: ['initializing', { young: 'pending', 'young/one': 'pending' }],
  broken: ['system_error', { broken: 'system_error', 'broken/one': 'system_error' }],
}

export const expectedRuns: Expected = {
  // Child of the step of run-outer.
  'run-held': ['waiting', { 'run-held': 'running', 'run-held/Hold': 'waiting', 'run-held/more': 'pending' }],
  'run-done': ['success', { 'run-done': 'success', 'run-done/go': 'success', 'run-done/left out': 'skipped' }],
  'run-fallen': ['error', { 'run-fallen': 'error', 'run-fallen/down': 'error', 'run-fallen/never': 'aborted' }],
  'run-signed': [
    'waiting_for_approval',
    {
      'run-signed': 'running',
      'run-signed/Both': 'running',
      'run-signed/Both/Sign': 'waiting_for_approval',
      'run-signed/Both/Hold': 'waiting',
    },
  ],
  'run-refused': [
    'rejected',
    { 'run-refused': 'aborted', 'run-refused/Sign': 'rejected', 'run-refused/never': 'aborted' },
  ],
  'run-stopped': ['cancelled', { 'run-stopped': 'cancelled', 'run-stopped/Hold': 'cancelled' }],
  'run-outer': ['running', { 'run-outer': 'running', 'run-outer/inner': 'running' }],
  'run-soon': ['pending', { 'run-soon': 'pending', 'run-soon/Hold': 'pending' }],
  'run-broken': [
    'system_error',
    { 'run-broken': 'system_error', 'run-broken/ask': 'success', 'run-broken/lost': 'aborted' },
  ],
}

export interface EveryStatus {
  /** Name → id, of changes and of runs. */
  readonly ids: ReadonlyMap<string, string>
  /** Lets everything end. */
  end(): Promise<void>
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** `boss` approves; `admin` creates everything. */
export async function makeEveryStatus(service: TestService, gates: Gates): Promise<EveryStatus> {
  const ids = new Map<string, string>()
  const admin = service.as('admin')
  const { asset } = await shop(service, { 'web/actions.yaml': actions(gates.folder) })
  const global = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const set = async (data: object) => assert.equal((await admin.patch(global, { data })).status, 200)
  // Waiting activities give back their slots at once, so that a continuing one can lack one.
  await set({ 'runner.idle_timeout': 0 })
  const make = async (action: string, more: object = {}) => {
    const { id } = await created(admin.post(`${asset}/changes`, { action, ...more }))
    ids.set(action, id)
    return id
  }
  const is = (id: string, code: string) => changeWhen(admin, id, code, each => each.attributes.status_code === code)
  const boss = async (path: string) => assert.equal((await service.as('boss').post(path, {})).status, 200, path)

  const good = await make('good', { skip_steps: ['good/one'] })
  const bad = await make('bad')
  const refused = await make('refused')
  const stopped = await make('stopped')
  for (const action of ['later', 'young', 'broken']) await make(action, { run_at: inAnHour() })
  await Promise.all([
    ended(admin, good),
    ended(admin, bad),
    is(refused, 'waiting_for_approval'),
    is(stopped, 'waiting'),
  ])
  await boss(`/api/steps/${(await stepAt(admin, refused, 'refused/Sign')).id}/reject`)
  assert.equal((await admin.delete(`/api/changes/${stopped}`)).status, 204)
  await Promise.all([ended(admin, refused), ended(admin, stopped)])
  for (const action of ['holds', 'moment', 'asks', 'again']) await is(await make(action), 'waiting')
  await is(await make('signed'), 'waiting_for_approval')
  await makeRuns(service, ids, boss)
  await set({ 'concurrent.runner_limit': 1 })
  const long = await make('long', { settings_overrides: { parallel_change_worker_steps: 1 } })
  while ((await stepAt(admin, long, 'long/slow-1')).attributes.status_code !== 'running') await is(long, 'running')
  const again = ids.get('again')!
  await admin.post(`/api/steps/${(await stepAt(admin, again, 'again/Hold')).id}/continue`, {})
  await is(again, 'queued')
  // States that pass in a moment, and those after a bug of the service, are written directly.
  const write = (name: string, status: string, ofSteps = 'pending') =>
    service.database.count(sql`
    with activity as (update activities set status = ${status} where id = ${ids.get(name)!}::uuid returning id)
    update steps
       set status = ${ofSteps}, open_children = case when ${ofSteps}::text = 'pending' then children else 0 end
      from activity where activity_id = activity.id`)
  await write('young', 'initializing')
  await write('broken', 'system_error', 'system_error')
  return {
    ids,
    end: async () => {
      await Promise.all([write('young', 'pending'), write('broken', 'pending'), gates.open('on')])
      for (const action of ['holds', 'moment', 'asks', 'signed', 'later', 'young', 'broken'])
        await admin.delete(`/api/changes/${ids.get(action)}`)
      await Promise.all([ended(admin, long), ended(admin, again)])
    },
  }
}

async function makeRuns(
  service: TestService,
  ids: Map<string, string>,
  boss: (path: string) => Promise<void>,
): Promise<void> {
  const admin = service.as('admin')
  const { related } = (await admin.get('/api/projects/shop')).body.data.relationships.properties.links
  assert.equal((await admin.patch(related, { data: { next: 'run-held' } })).status, 200)
  for (const [code, yaml] of Object.entries(workflows)) await published(admin, code, yaml)
  const begin = async (code: string, more: object = {}) => {
    const id = await began(admin, code, more)
    ids.set(code, id)
    return id
  }
  const stepId = async (id: string, name: string, status: string) => (await runStepWhen(admin, id, name, status)).id
  const goOn = async (id: string, name: string) => {
    const path = `/api/workflow_steps/${await stepId(id, name, 'waiting')}/continue`
    assert.equal((await admin.post(path, {})).status, 200)
  }
  const is = (id: string, code: string) => runWhen(admin, id, code, each => each.attributes.status_code === code)

  await begin('run-soon', { run_at: inAnHour() })
  const done = await begin('run-done', { skip_steps: ['left out'] })
  const fallen = await begin('run-fallen', { property_overrides: { next: 'run-fallen' } })
  const refused = await begin('run-refused')
  const stopped = await begin('run-stopped')
  const broken = await begin('run-broken')
  await goOn(done, 'go')
  await boss(`/api/workflow_steps/${await stepId(refused, 'Sign', 'waiting_for_approval')}/reject`)
  await is(stopped, 'waiting')
  assert.equal((await admin.delete(`/api/workflow_runs/${stopped}`)).status, 204)
  await is(broken, 'waiting')
  assert.equal((await admin.delete(`/api/workflow_runs/${broken}`)).status, 204)
  for (const id of [done, fallen, refused, stopped, broken]) await runEnded(admin, id)
  // The state after an hour in which the service could not advance it, with `ask` behind it.
  await service.database.count(sql`
    with activity as (update activities set status = 'system_error' where id = ${broken}::uuid returning id)
    update steps
       set status = case full_path when 'run-broken' then 'system_error' when 'run-broken/ask' then 'success' else 'aborted' end,
           body = 'done', failed_children = case full_path when 'run-broken' then 1 else 0 end
      from activity where activity_id = activity.id`)
  await is(await begin('run-signed'), 'waiting_for_approval')
  const outer = await begin('run-outer')
  const inner = await until(
    'the inner run is there',
    async () => (await stepsOfRun(admin, outer))[1]?.relationships.workflow_runs.data[0]?.id as string | undefined,
    id => id !== undefined,
    often,
  )
  ids.set('run-held', inner!)
  await is(inner!, 'waiting')
}
