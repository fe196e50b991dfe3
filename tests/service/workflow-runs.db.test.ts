import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventsOf,
  newAsset,
  often,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  stepAt,
  written,
} from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { assertEventsTold } from '../support/told-events.ts'
import {
  began,
  changeOfStep,
  published,
  runEnded,
  runStatuses,
  runStepWhen,
  runWhen,
  stepsOfRun,
} from '../support/workflows.ts'

const actions = `
actions:
  deploy: { description: x, env: { WHAT: "{{ what }}" }, run: 'echo "deployed $WHAT"' }
  plain: { description: x, run: echo plain }
  bad: { description: x, run: exit 7 }
  checked: { description: x, env: { OK: "{{ ok }}" }, run: 'test "$OK" = yes' }
  guarded: { description: x, steps: [{ wait: Look, approvers: { user_names: [eve] } }, plain] }
  gated:
    description: x
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: touch "$GATES/$NAME-began"; until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
`

const front = 'environments/live/assets/front'
const back = 'environments/live/assets/back'

let service: TestService
let admin: Client
let eve: Client
let gates: Gates
let made: Shop

before(async () => {
  service = await startTestService({
    users: {
      eve: [{ path: '/projects/shop', read: true }],
      runner: [
        { path: '/projects/shop/workflows', execute: true },
        { path: '/projects/shop', read: true },
      ],
      stranger: [],
    },
  })
  admin = service.as('admin')
  eve = service.as('eve')
  gates = await newGates()
  made = await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
  await properties({ what: 'usual', next: 'told', action: 'plain', ok: 'no' })
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const asOwner = (statements: string): Promise<void> =>
  withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))

async function properties(data: object): Promise<void> {
  const { body } = await admin.get('/api/projects/shop')
  const answer = await admin.patch(body.data.relationships.properties.links.related, { data })
  assert.equal(answer.status, 200, answer.text)
}

const withGates = (name: string) => `{ gates: "${gates.folder}", name: ${name} }`

const retry = (client: Client, id: string, attributes: object = {}): Promise<Answer> => {
  const relationships = { workflow_run: { data: { type: 'workflow_run', id } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true, ...attributes }, relationships } })
  return client.send('POST', '/api/workflow_runs', { raw })
}

async function eventsOfRun(id: string): Promise<Set<string>> {
  const { body } = await admin.get(`/api/events?filter[for_workflow_run]=${id}&limit=1000`)
  return new Set(body.data.map(({ attributes }: Shown) => attributes.type))
}

/** Events of a run. */
async function told(id: string, ...types: string[]): Promise<void> {
  const found = await eventsOfRun(id)
  assert.deepEqual(
    types.filter(type => !found.has(type)),
    [],
  )
}

test('two assets are deployed at once, somebody approves, and another workflow follows', async () => {
  await published(
    admin,
    'inner',
    `steps: [{ target: ${front}, action: deploy, property_overrides: { what: "{{ what }}" } }]`,
  )
  await published(
    admin,
    'release',
    `
steps:
  - { name: both, targets: [${front}, ${back}], action: deploy, run_as: parallel, property_overrides: { what: "{{ what }}" } }
  - { type: wait, name: look, requires_approval_from: { user_names: [eve] } }
  - { type: workflow, target: inner, property_overrides: { what: again } }
`,
  )
  const id = await began(admin, 'release', { property_overrides: { what: 'this' }, metadata: { ticket: 'A-1' } })
  const look = await runStepWhen(admin, id, 'look', 'waiting_for_approval')
  const waiting = await runWhen(
    admin,
    id,
    'waits',
    ({ attributes }) => attributes.status_code === 'waiting_for_approval',
  )
  assert.deepEqual(waiting.meta.can, ['cancel', 'pause'])
  const reason = (await admin.get(`/api/workflow_runs/${id}/waiting_reason`)).body.data.attributes
  assert.equal(reason.kind, 'approval')
  assert.equal((await admin.post(`/api/workflow_steps/${look.id}/approve`, {})).status, 403)
  assert.equal((await service.as('stranger').post(`/api/workflow_steps/${look.id}/approve`, {})).status, 404)
  assert.equal((await admin.post(`/api/steps/${look.id}/approve`, {})).status, 404, 'it is no step of a change')
  const mine = (await eve.get('/api/workflow_runs?filter[waiting_for_me]=true')).body.data
  assert.deepEqual(
    mine.map((run: Shown) => run.id),
    [id],
  )
  assert.equal((await eve.post(`/api/workflow_steps/${look.id}/approve`, { message: 'good' })).status, 200)

  await told(id, 'api:workflow_steps:approve', 'audit:workflow_steps:approve', 'audit:workflow_steps:approve:denied')
  const run = await runEnded(admin, id)
  assert.deepEqual(
    [run.attributes.status_code, run.attributes.workflow_code, run.attributes.version, run.attributes.metadata],
    ['success', 'release', 1, { ticket: 'A-1' }],
  )
  assert.deepEqual(await runStatuses(admin, id), [
    ['both', 'success'],
    ['both/front', 'success'],
    ['both/back', 'success'],
    ['look', 'success'],
    ['inner', 'success'],
  ])
  const [, both, , , , inner] = await stepsOfRun(admin, id)
  assert.equal(both.relationships.changes.data.length, 2)
  assert.deepEqual(both.attributes.targets, [`/projects/shop/${front}`, `/projects/shop/${back}`])
  const [change] = both.relationships.changes.data
  const { attributes, relationships } = (await admin.get(`/api/changes/${change.id}`)).body.data
  assert.deepEqual([attributes.created_by, attributes.action, attributes.status_code], ['admin', 'deploy', 'success'])
  assert.equal(relationships.workflow_step.data.type, 'workflow_step')
  assert.deepEqual(await written(admin, `/api/changes/${change.id}`), ['deployed this'])
  const nested = inner.relationships.workflow_runs.data[0].id
  const nestedRun = (await admin.get(`/api/workflow_runs/${nested}`)).body.data
  assert.deepEqual(
    [nestedRun.attributes.status_code, nestedRun.relationships.parent_step.data.id],
    ['success', inner.id],
  )
  assert.deepEqual((await written(admin, `/api/workflow_runs/${id}`)).toSorted(), [
    'deployed again',
    'deployed this',
    'deployed this',
  ])
  assert.deepEqual(await written(admin, `/api/workflow_steps/${inner.id}`), ['deployed again'])
})

test('each thing that happens to a run and its steps is an event, once', async () => {
  await published(admin, 'told', `steps: [{ target: ${front}, action: plain, name: do it }]`)
  const id = await began(admin, 'told')
  await runEnded(admin, id)
  const told = (await admin.get(`/api/events?filter[for_workflow_run]=${id}`)).body.data
  assert.deepEqual(
    told.map(({ attributes }: Shown) => `${attributes.type} ${attributes.name ?? ''}`.trim()),
    [
      'api:workflow_runs:create told',
      'api:workflow_runs:start',
      'api:workflow_steps:start told',
      'api:workflow_steps:start told/do it',
      'api:workflow_steps:success told/do it',
      'api:workflow_steps:success told',
      'api:workflow_runs:success',
    ],
  )
})

test('a failed change fails its step and the run, what is beside it ends, and nothing follows', async () => {
  await published(
    admin,
    'failing',
    `
steps:
  - run_as: parallel
    name: pair
    children: [{ target: ${front}, action: bad }, { target: ${back}, action: plain, name: other }]
  - { target: ${front}, action: plain, name: never }
`,
  )
  const id = await began(admin, 'failing')
  const run = await runEnded(admin, id)
  assert.deepEqual([run.attributes.status_code, run.meta.can], ['error', ['retry']])
  const [activity] = (await admin.get(`/api/activities?filter[id_eq]=${id}`)).body.data
  assert.deepEqual(activity.meta.can, ['retry'])
  // By one name, whether it runs an action or a workflow.
  assert.equal(activity.attributes.name, 'failing')
  const named = (await admin.get('/api/activities?filter[name_eq]=failing')).body.data
  assert.deepEqual(
    named.map((each: { id: string }) => each.id),
    [id],
  )
  assert.deepEqual((await eve.get(`/api/workflow_runs/${id}`)).body.data.meta.can, [])
  const statuses = Object.fromEntries(await runStatuses(admin, id))
  assert.deepEqual([statuses['pair/other'], statuses['pair'], statuses['never']], ['success', 'error', 'aborted'])
  const failed = (await stepsOfRun(admin, id)).find(({ attributes }) => attributes.action === 'bad')
  assert.match(failed.attributes.error_message, /^The change .* ended in error/)
  await told(id, 'api:workflow_runs:error', 'api:workflow_steps:error', 'api:workflow_steps:abort')
})

test('under the path of a change lies nothing of a run, and under that of a run nothing of a change', async () => {
  await published(admin, 'apart', `steps: [{ target: ${front}, action: plain, name: one }]`)
  const id = await began(admin, 'apart')
  await runEnded(admin, id)
  const change = await changeOfStep(admin, id, 'one')
  const [stepOfRun] = await stepsOfRun(admin, id)
  const [stepOfChange] = (await admin.get(`/api/changes/${change}/steps`)).body.data
  for (const path of [
    ...['steps', 'log_lines', 'artefacts'].map(list => `changes/${id}/${list}`),
    ...['log_lines', 'artefacts'].map(list => `steps/${stepOfRun.id}/${list}`),
    ...['steps', 'log_lines'].map(list => `workflow_runs/${change}/${list}`),
    `workflow_steps/${stepOfChange.id}/log_lines`,
  ])
    assert.equal((await admin.get(`/api/${path}`)).status, 404, path)
})

test('what is ignored does not fail the run: a failed, a rejected and a cancelled change', async () => {
  await published(
    admin,
    'forgiving',
    `
steps:
  - { target: ${front}, action: bad, name: fails, ignore_failure: true }
  - { target: ${front}, action: guarded, name: rejected, ignore_failure: true }
  - { target: ${front}, action: gated, name: cancelled, ignore_failure: true, property_overrides: ${withGates('ignored')} }
  - { target: ${front}, action: plain, name: last }
`,
  )
  const id = await began(admin, 'forgiving')
  const guarded = await changeOfStep(admin, id, 'rejected')
  await changeWhen(admin, guarded, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const look = (await admin.get(`/api/changes/${guarded}/steps`)).body.data.find(
    ({ attributes }: Shown) => attributes.status_code === 'waiting_for_approval',
  )
  assert.equal((await eve.post(`/api/steps/${look.id}/reject`, {})).status, 200)
  await gates.reached('ignored-began')
  const cancelled = await changeOfStep(admin, id, 'cancelled')
  assert.equal((await admin.delete(`/api/changes/${cancelled}`)).status, 204)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  const [, ...steps] = await stepsOfRun(admin, id)
  assert.deepEqual(
    steps.map(({ attributes }) => attributes.status_code),
    Array(4).fill('success'),
  )
  assert.match(steps[1].attributes.error_message, /was rejected/)
  assert.match(steps[2].attributes.error_message, /was cancelled by admin/)
})

test('a rejected change is a rejected step, and the run ends in error', async () => {
  await published(admin, 'rejected', `steps: [{ target: ${front}, action: guarded, name: ask }]`)
  const id = await began(admin, 'rejected')
  const change = await changeOfStep(admin, id, 'ask')
  await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const steps = (await admin.get(`/api/changes/${change}/steps`)).body.data
  const look = steps.find(({ attributes }: Shown) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await eve.post(`/api/steps/${look.id}/reject`, {})).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  assert.deepEqual(await runStatuses(admin, id), [['ask', 'rejected']])
})

test('a cancelled run takes what it has made with it, in the name of who cancelled it', async () => {
  await published(
    admin,
    'stopped-inner',
    `steps: [{ target: ${back}, action: gated, property_overrides: ${withGates('stop-2')} }]`,
  )
  await published(
    admin,
    'stopped',
    `
steps:
  - run_as: parallel
    name: both
    children:
      - { target: ${front}, action: gated, property_overrides: ${withGates('stop-1')}, name: one }
      - { type: workflow, target: stopped-inner, name: two }
  - { target: ${front}, action: plain, name: never }
`,
  )
  const id = await began(admin, 'stopped')
  await gates.reached('stop-1-began')
  await gates.reached('stop-2-began')
  assert.equal((await service.as('eve').delete(`/api/workflow_runs/${id}`)).status, 403)
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  const run = await runEnded(admin, id)
  assert.deepEqual([run.attributes.status_code, run.attributes.cancelled_by], ['cancelled', 'admin'])
  assert.deepEqual(await runStatuses(admin, id), [
    ['both', 'cancelled'],
    ['both/one', 'cancelled'],
    ['both/two', 'cancelled'],
    ['never', 'cancelled'],
  ])
  const change = (await admin.get(`/api/changes/${await changeOfStep(admin, id, 'one')}`)).body.data
  assert.deepEqual([change.attributes.status_code, change.attributes.cancelled_by], ['cancelled', 'admin'])
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 409)
  await told(id, 'api:workflow_runs:cancel', 'api:workflow_steps:cancel')
})

test('a paused run pauses what it has made, and resumes it', async () => {
  await published(
    admin,
    'paused',
    `steps: [{ target: ${front}, action: held, name: one }, { target: ${front}, action: plain, name: two }]`.replace(
      'held',
      'guarded',
    ),
  )
  const id = await began(admin, 'paused')
  const change = await changeOfStep(admin, id, 'one')
  await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await service.as('runner').post(`/api/workflow_runs/${id}/pause`, { reason: 'lunch' })).status, 200)
  await changeWhen(admin, change, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  const paused = await runWhen(admin, id, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.deepEqual([paused.attributes.paused_by, paused.meta.can], ['runner', ['cancel', 'resume']])
  const { body } = await admin.get(`/api/workflow_runs/${id}/waiting_reason`)
  assert.equal(body.data.attributes.kind, 'paused')
  assert.equal((await admin.post(`/api/workflow_runs/${id}/resume`, {})).status, 200)
  await changeWhen(admin, change, 'goes on', ({ attributes }) => attributes.pause_state === 'none')
  assert.deepEqual(
    (await eventsOf(admin, change))
      .filter(({ attributes }) => /:(pause|resume)$/.test(attributes.type))
      .map(({ attributes: { type, username, name } }) => [type, username, name]),
    [
      ['api:changes:pause', 'runner', 'guarded'],
      ['api:changes:resume', 'admin', 'guarded'],
    ],
  )
  const steps = (await admin.get(`/api/changes/${change}/steps`)).body.data
  const look = steps.find(({ attributes }: Shown) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await eve.post(`/api/steps/${look.id}/approve`, {})).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
})

test('what a step makes takes the rights of who made the run', async () => {
  await published(admin, 'unentitled', `steps: [{ target: ${front}, action: plain, name: one }]`)
  const runner = service.as('runner')
  const id = await began(runner, 'unentitled')
  assert.equal((await runEnded(runner, id)).attributes.status_code, 'error')
  const [, step] = await stepsOfRun(runner, id)
  const why = `runner may not execute /projects/shop/${front}/actions/plain.`
  assert.equal(step.attributes.error_message, why)
  const [line, ...more] = (await runner.get(`/api/log_lines?filter[workflow_run_id_eq]=${id}`)).body.data
  const { message, category, workflow_run_id, workflow_step_id, step_id, change_id } = line.attributes
  assert.deepEqual([message, category, workflow_run_id, workflow_step_id], [why, 'runner', id, step.id])
  assert.deepEqual([step_id, change_id, more], [undefined, undefined, []])
  for (const list of [`/api/workflow_runs/${id}/log_lines`, `/api/log_lines?filter[workflow_step_id_eq]=${step.id}`])
    assert.deepEqual(
      (await runner.get(list)).body.data.map((each: Shown) => each.id),
      [line.id],
      list,
    )
  const told = (await runner.get(`/api/events?filter[for_workflow_run]=${id}`)).body.data
  assert.ok(told.some(({ attributes }: Shown) => attributes.type === 'error:workflow_step:run_failure'))
  assert.equal(
    (await eve.post('/api/workflow_runs', { parent_path: '/projects/shop', workflow_code: 'unentitled' })).status,
    403,
  )
})

test('a workflow that reaches itself at run ends with the cycle', async () => {
  await published(admin, 'ring', `steps: [{ type: workflow, target: "{{ next }}", name: down }]`)
  const id = await began(admin, 'ring', { property_overrides: { next: 'ring' } })
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  const [, down] = await stepsOfRun(admin, id)
  assert.equal(down.attributes.error_message, 'The workflow reaches itself: ring → ring.')
})

test('beneath a run lie sixteen others and no more', async () => {
  const code = (level: number) => `deep-${level}`
  await published(admin, code(17), `steps: [{ target: ${front}, action: plain }]`)
  for (let level = 16; level >= 0; level--)
    await published(admin, code(level), `steps: [{ type: workflow, target: ${code(level + 1)}, name: down }]`)
  assert.equal((await runEnded(admin, await began(admin, code(0)))).attributes.status_code, 'error')
  const runs = (await admin.get('/api/projects/shop/workflow_runs?filter[workflow_code_start]=deep-')).body.data
  assert.equal(runs.length, 17)
  const [deepest, ...others] = (await admin.get(`/api/projects/shop/workflows/${code(16)}/runs`)).body.data
  assert.deepEqual(others, [])
  const [, down] = await stepsOfRun(admin, deepest.id)
  assert.match(down.attributes.error_message, /^Runs can be nested at most 16 deep: deep-0 → .* → deep-16\.$/)
})

test('a change takes its actions from the version or the revision that its step names', async () => {
  const newer = actions.replace('run: echo plain', 'run: echo newer')
  const files = { 'web/actions.yaml': newer, 'actions.yaml': newer.replace('newer', 'root') }
  made.repository.commit(files, { branch: 'next' })
  await readyVersion(admin, '/api/projects/shop/templates/web/versions/2.0', 'next')
  await published(
    admin,
    'origins',
    `
steps:
  - { name: both, targets: [${front}, ${back}], action: plain, template_versions: ["1.0", "2.0"] }
  - { name: front, target: ${front}, action: plain, template_version: "2.0" }
  - { name: live, target: environments/live, action: plain, git_remote_name: code, git_rev: next }
`,
  )
  const id = await began(admin, 'origins')
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  const steps = (await stepsOfRun(admin, id)).filter(({ relationships }) => relationships.changes.data.length === 1)
  const said = await Promise.all(
    steps.map(async ({ id: step, attributes }) => [
      attributes.name,
      attributes.template_version,
      ...(await written(admin, `/api/workflow_steps/${step}`)),
    ]),
  )
  assert.deepEqual(said, [
    ['front', '1.0', 'plain'],
    ['back', '2.0', 'newer'],
    ['front', '2.0', 'newer'],
    ['live', null, 'root'],
  ])
})

test('what does not resolve is said with its line, and nothing is made', async () => {
  await published(admin, 'unresolved', `steps:\n  - { target: ${front}, action: "{{ action }}" }`)
  await properties({ what: 'usual', next: 'told', ok: 'no' })
  const answer = await admin.post('/api/workflow_runs', { parent_path: '/projects/shop', workflow_code: 'unresolved' })
  assert.equal(answer.status, 422)
  assert.match(answer.body.errors[0].detail, /^Version 1 of unresolved, line 2: /)
  assert.deepEqual((await admin.get('/api/projects/shop/workflows/unresolved/runs')).body.data, [])
})

test('steps are left out by their names, approvals excepted; a mask for all of it is 422', async () => {
  await published(
    admin,
    'masked',
    `
steps:
  - { name: prepare, children: [{ target: ${front}, action: bad }, { type: wait, name: ask, requires_approval_from: { user_names: [eve] } }] }
  - { target: ${front}, action: plain, name: last }
`,
  )
  assert.equal(
    (
      await admin.post('/api/workflow_runs', {
        parent_path: '/projects/shop',
        workflow_code: 'masked',
        skip_steps: ['*'],
      })
    ).status,
    422,
  )
  const id = await began(admin, 'masked', { skip_steps: ['PREP*'] })
  const ask = await runStepWhen(admin, id, 'ask', 'waiting_for_approval')
  assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/approve`, {})).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(
    (await runStatuses(admin, id)).map(([, status]) => status),
    ['success', 'skipped', 'success', 'success'],
  )
})

test('a retry keeps what succeeded, tries again what failed, and asks again where it is to', async () => {
  await published(
    admin,
    'tried',
    `
steps:
  - { target: ${front}, action: plain, name: first }
  - { type: wait, name: ask, reset_on_retry: true }
  - { target: ${front}, action: bad, name: fails }
`,
  )
  const id = await began(admin, 'tried')
  const goOn = async (run: string) => {
    // api:workflow_steps:continue is its end, audit:workflow_steps:continue names the requester.
    const ask = await runStepWhen(admin, run, 'ask', 'waiting')
    assert.equal((await admin.post(`/api/workflow_steps/${ask.id}/continue`, {})).status, 200)
  }
  await goOn(id)
  await runEnded(admin, id)
  await told(id, 'api:workflow_steps:continue', 'audit:workflow_steps:continue')
  const answer = await retry(admin, id)
  assert.equal(answer.status, 201, answer.text)
  const again = answer.body.data
  assert.equal(again.relationships.retry_of.data.id, id)
  assert.match((await retry(admin, id)).text, new RegExp(`is being retried already: by the run ${again.id}`))
  const can = async () => (await admin.get(`/api/workflow_runs/${id}`)).body.data.meta.can
  assert.deepEqual(await can(), [], 'it is being retried already')
  assert.equal((await runStatuses(admin, again.id))[0]![1], 'success')
  await goOn(again.id)
  assert.equal((await runEnded(admin, again.id)).attributes.status_code, 'error')
  assert.deepEqual(await can(), ['retry'])
  const [, first, , fails] = await stepsOfRun(admin, again.id)
  assert.equal(first.relationships.changes.data[0].id, await changeOfStep(admin, id, 'first'))
  const change = (await ended(admin, fails.relationships.changes.data[0].id)) as Shown
  assert.notEqual(change.id, await changeOfStep(admin, id, 'fails'))
  assert.equal((await eventsOf(admin, change.id)).length > 0, true)
})

test('a retry with other overrides tries again with these, and is approved anew', async () => {
  await published(
    admin,
    'revised',
    `
steps:
  - { target: ${front}, action: plain, name: first }
  - { type: wait, name: ask, requires_approval_from: { user_names: [eve] } }
  - { target: ${front}, action: checked, name: check, property_overrides: { ok: "{{ ok }}" } }
`,
  )
  const approve = async (run: string) => {
    const ask = await runStepWhen(admin, run, 'ask', 'waiting_for_approval')
    assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/approve`, {})).status, 200)
  }
  const id = await began(admin, 'revised', { property_overrides: { ok: 'no' } })
  await approve(id)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  const failed = await changeOfStep(admin, id, 'check')

  const same = await created(retry(admin, id, { metadata: { try: 2 } }))
  assert.equal((await runEnded(admin, same.id)).attributes.status_code, 'error')
  assert.deepEqual((await runStatuses(admin, same.id))[1], ['ask', 'success'], 'the approval counts')

  assert.match((await retry(admin, same.id, { version: 9 })).text, /has no published version 9/)
  const other = await created(retry(admin, same.id, { property_overrides: { ok: 'yes' } }))
  await approve(other.id)
  const run = await runEnded(admin, other.id)
  assert.deepEqual([run.attributes.status_code, run.attributes.property_overrides], ['success', { ok: 'yes' }])
  const [, first] = await stepsOfRun(admin, other.id)
  assert.equal(first.relationships.changes.data[0].id, await changeOfStep(admin, id, 'first'))
  const shown = async (change: string) => (await admin.get(`/api/changes/${change}`)).body.data
  const [now, then] = [await changeOfStep(admin, other.id, 'check'), await changeOfStep(admin, same.id, 'check')]
  assert.deepEqual((await shown(now)).relationships.retry_of.data.id, then)
  assert.deepEqual((await shown(then)).relationships.retry_of.data.id, failed)
  assert.deepEqual((await shown(now)).attributes.property_overrides, { ok: 'yes' })
})

test('a retry of another version keeps what that does as well, and does what is new or otherwise there', async () => {
  const steps = (...more: string[]) =>
    `steps:\n${[`{ target: ${front}, action: plain, name: first }`, ...more].map(each => `  - ${each}\n`).join('')}`
  const moving = (target: string) => `{ target: ${target}, action: plain, name: moves }`
  const bad = `{ target: ${front}, action: bad, name: last }`
  await published(admin, 'advanced', steps(moving(front), bad))
  const id = await began(admin, 'advanced')
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'error')
  const last = `{ target: ${front}, action: plain, name: last }`
  const source_yaml = steps(moving(back), last)
  assert.equal((await admin.patch('/api/projects/shop/workflows/advanced', { source_yaml, draft: false })).status, 200)
  const again = await created(retry(admin, id, { version: 2 }))
  const run = await runEnded(admin, again.id)
  assert.deepEqual([run.attributes.status_code, run.attributes.version], ['success', 2])
  for (const name of ['first', 'moves', 'last'])
    assert.equal(
      (await changeOfStep(admin, again.id, name)) === (await changeOfStep(admin, id, name)),
      name === 'first',
      name,
    )
  const { attributes, relationships } = (await admin.get(`/api/changes/${await changeOfStep(admin, again.id, 'last')}`))
    .body.data
  assert.deepEqual([attributes.action, relationships.retry_of.data], ['plain', null])
})

test('a run that has ended is purged for good by whoever may delete, and what it made stays', async () => {
  await published(
    admin,
    'forgotten',
    `steps: [{ target: ${front}, action: bad, name: one }, { type: wait, name: ask }]`,
  )
  const id = await began(admin, 'forgotten')
  await runEnded(admin, id)
  const again = await created(retry(admin, id))
  await runEnded(admin, again.id)
  const change = await changeOfStep(admin, id, 'one')
  const runner = service.as('runner')
  assert.equal((await runner.delete(`/api/workflow_runs/${id}?purge=true`)).status, 403)
  assert.match((await admin.delete(`/api/workflow_runs/${id}`)).text, /\?purge=true deletes it/)
  assert.equal((await admin.delete(`/api/workflow_runs/${id}?purge=true`)).status, 204)
  for (const path of [`workflow_runs/${id}`, `workflow_runs/${id}/steps`, `workflow_runs/${id}/log_lines`])
    assert.equal((await admin.get(`/api/${path}`)).status, 404, path)
  const { relationships } = (await admin.get(`/api/changes/${change}`)).body.data
  assert.equal(relationships.workflow_step.data, null)
  const retried = (await admin.get(`/api/workflow_runs/${again.id}`)).body.data
  assert.deepEqual([retried.relationships.retry_of.data, (await stepsOfRun(admin, again.id)).length], [null, 3])
  await told(id, 'api:workflow_runs:destroy')
  await published(admin, 'lasting', `steps: [{ type: wait, name: ask }]`)
  const waiting = await began(admin, 'lasting')
  await runStepWhen(admin, waiting, 'ask', 'waiting')
  assert.match((await admin.delete(`/api/workflow_runs/${waiting}?purge=true`)).text, /has not ended: it is waiting/)
  await admin.delete(`/api/workflow_runs/${waiting}`)
})

test('a rejected approval of a run aborts it, and what is beside it runs to its end', async () => {
  await published(
    admin,
    'refused',
    `
steps:
  - { type: wait, name: ask, requires_approval_from: { user_names: [eve] } }
  - { target: ${front}, action: plain, name: never }
`,
  )
  const id = await began(admin, 'refused')
  const ask = await runStepWhen(admin, id, 'ask', 'waiting_for_approval')
  assert.equal((await admin.post(`/api/workflow_steps/${ask.id}/reject`, {})).status, 403)
  assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/reject`, { message: 'no' })).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'rejected')
  assert.deepEqual(await runStatuses(admin, id), [
    ['ask', 'rejected'],
    ['never', 'aborted'],
  ])
  await told(
    id,
    'api:workflow_runs:abort',
    'api:workflow_steps:reject',
    'audit:workflow_steps:reject',
    'audit:workflow_steps:reject:denied',
  )
})

test('what cannot be paused with its run holds up nothing else that the run has made', async () => {
  const guarded = (target: string, name: string) => `{ target: ${target}, action: guarded, name: ${name} }`
  await published(
    admin,
    'stubborn',
    `steps: [{ run_as: parallel, children: [${guarded(front, 'one')}, ${guarded(back, 'two')}] }]`,
  )
  const id = await began(admin, 'stubborn')
  const [one, two] = [await changeOfStep(admin, id, 'one'), await changeOfStep(admin, id, 'two')]
  for (const change of [one, two])
    await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  await asOwner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before update on activities for each row
      when (new.id = '${one}' and new.pause_state <> old.pause_state) execute function refuse()`)
  assert.equal((await admin.post(`/api/workflow_runs/${id}/pause`, {})).status, 200)
  await changeWhen(admin, two, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.equal((await admin.get(`/api/changes/${one}`)).body.data.attributes.pause_state, 'none')
  await asOwner('drop function refuse() cascade')
  await runWhen(admin, id, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.equal((await admin.get(`/api/changes/${one}`)).body.data.attributes.pause_state, 'paused')
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  await runEnded(admin, id)
})

test('a run that is rejected while it is paused is resumed, for what it has made to end', async () => {
  await published(
    admin,
    'refused-paused',
    `
steps:
  - run_as: parallel
    children:
      - { target: ${front}, action: guarded, name: beside }
      - { type: wait, name: ask, requires_approval_from: { user_names: [eve] } }
`,
  )
  const id = await began(admin, 'refused-paused')
  const change = await changeOfStep(admin, id, 'beside')
  await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const ask = await runStepWhen(admin, id, 'ask', 'waiting_for_approval')
  assert.equal((await admin.post(`/api/workflow_runs/${id}/pause`, {})).status, 200)
  await changeWhen(admin, change, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/reject`, {})).status, 200)
  const { meta } = (await admin.get(`/api/workflow_runs/${id}`)).body.data
  assert.deepEqual(meta.can, ['cancel', 'resume'])
  assert.equal((await admin.post(`/api/workflow_runs/${id}/resume`, {})).status, 200)
  await changeWhen(admin, change, 'goes on', ({ attributes }) => attributes.pause_state === 'none')
  const look = await stepAt(admin, change, 'guarded/Look')
  assert.equal((await eve.post(`/api/steps/${look.id}/approve`, {})).status, 200)
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'rejected')
  assert.equal((await admin.get(`/api/changes/${change}`)).body.data.attributes.status_code, 'success')
})

test('a pause of a run lets nothing go on that is paused beneath a rejected one', async () => {
  await published(
    admin,
    'no-beneath',
    `
steps:
  - run_as: parallel
    children:
      - { target: ${front}, action: guarded, name: beside }
      - { type: wait, name: ask, requires_approval_from: { user_names: [eve] } }
`,
  )
  await published(admin, 'no-above', `steps: [{ type: workflow, target: no-beneath, name: nested }]`)
  const id = await began(admin, 'no-above')
  await runStepWhen(admin, id, 'nested', 'running')
  const nested = (await stepsOfRun(admin, id))[1].relationships.workflow_runs.data[0].id
  const change = await changeOfStep(admin, nested, 'beside')
  await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  assert.equal((await admin.post(`/api/changes/${change}/pause`, {})).status, 200)
  const ask = await runStepWhen(admin, nested, 'ask', 'waiting_for_approval')
  assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/reject`, {})).status, 200)
  assert.equal((await admin.post(`/api/workflow_runs/${id}/pause`, {})).status, 200)
  const passingOn = '/api/admin/jobs?filter[job_class_eq]=workflow_runs.align_pause&filter[status_not_eq]=success'
  await until(
    'the pause is passed on',
    async () => (await admin.get(passingOn)).body.data,
    jobs => jobs.length === 0,
    often,
  )
  const { pause_state } = (await admin.get(`/api/changes/${change}`)).body.data.attributes
  assert.equal(pause_state, 'paused')
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  await runEnded(admin, id)
})

test('a workflow is neither archived nor deleted while a run of it goes on or a schedule will make one', async () => {
  const workflow = '/api/projects/shop/workflows/busy'
  await published(admin, 'busy', `steps: [{ type: wait, name: ask }]`)
  const id = await began(admin, 'busy')
  const due = { workflow_code: 'busy', run_at: '2999-01-01T00:00:00Z' }
  const schedule = await created(admin.post('/api/projects/shop/scheduled_activities', due))
  const uses = [
    { id, what: 'workflow_run', path: '/projects/shop' },
    { id: schedule.id, what: 'scheduled_workflow', path: '/projects/shop/scheduled_activities' },
  ]
  for (const asked of [admin.patch(workflow, { archived: true }), admin.delete(workflow)]) {
    const { status, body } = await asked
    assert.deepEqual([status, body.errors[0].code, body.errors[0].meta.in_use], [409, 'in-use', uses])
  }
  assert.equal((await admin.delete(`/api/scheduled_activities/${schedule.id}`)).status, 204)
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  await runEnded(admin, id)
  const archived = await admin.patch(workflow, { archived: true })
  assert.deepEqual([archived.status, archived.body.data.attributes.archived], [200, true])
  // An archived workflow gets no new schedule, and a disabled one stays disabled.
  for (const run_at of [due.run_at, '2001-01-01T00:00:00Z']) {
    const refused = await admin.post('/api/projects/shop/scheduled_activities', { ...due, run_at })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'archived'])
  }
  const off = await created(admin.post('/api/projects/shop/scheduled_activities', { ...due, enabled: false }))
  const { status, text } = await admin.patch(`/api/scheduled_activities/${off.id}`, { enabled: true })
  assert.equal(status, 409)
  assert.match(text, /The workflow busy is archived: it takes no new run\./)
})

test('runs of one workflow take turns, unless the project lets them run at once', async () => {
  await published(admin, 'turns', `steps: [{ type: wait, name: ask }]`)
  const { related } = (await admin.get('/api/projects/shop')).body.data.relationships.settings.links
  const first = await began(admin, 'turns')
  await runStepWhen(admin, first, 'ask', 'waiting')
  const second = await began(admin, 'turns')
  const why = (await admin.get(`/api/workflow_runs/${second}/waiting_reason`)).body.data.attributes
  assert.equal(why.kind, 'same_name')
  const atOnce = { 'allow_parallel.runs_of_same_workflow': true }
  assert.equal((await admin.patch(related, { data: atOnce })).status, 200)
  const third = await began(admin, 'turns')
  await runStepWhen(admin, third, 'ask', 'waiting')
  assert.equal((await admin.get(`/api/workflow_runs/${second}`)).body.data.attributes.status_code, 'pending')
  assert.equal((await admin.delete(`/api/workflow_runs/${first}`)).status, 204)
  assert.equal((await admin.delete(`/api/workflow_runs/${third}`)).status, 204)
  await runStepWhen(admin, second, 'ask', 'waiting')
  assert.equal((await admin.delete(`/api/workflow_runs/${second}`)).status, 204)
  for (const id of [first, second, third]) await runEnded(admin, id)
  assert.equal((await admin.patch(related, { data: { 'allow_parallel.runs_of_same_workflow': null } })).status, 200)
})

test('a run that the service cannot carry on ends as system_error, says so, and takes with it what it had made', async () => {
  await published(
    admin,
    'damaged',
    `
steps:
  - run_as: parallel
    children:
      - { target: ${back}, action: guarded, name: beside }
      - run_as: sequential
        name: chain
        children: [{ type: wait, name: ask }, { target: ${front}, action: plain, name: lost }]
`,
  )
  const id = await began(admin, 'damaged')
  const beside = await changeOfStep(admin, id, 'beside')
  await changeWhen(admin, beside, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
  const ask = await runStepWhen(admin, id, 'ask', 'waiting')
  await service.database.count(sql`
    delete from workflow_steps where id in (select id from steps where activity_id = ${id}::uuid)`)
  assert.equal((await admin.post(`/api/workflow_steps/${ask.id}/continue`, {})).status, 200)
  await until(
    'it is told of, long before it ends',
    () => eventsOfRun(id),
    types => types.has('error:workflow_step:aasm_failure'),
    often,
  )
  // This one cannot be cancelled for now; other runs are notified of their children all the same.
  await asOwner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before update on activities for each row
      when (new.id = '${beside}' and new.cancel_requested_at is not null) execute function refuse()`)
  await moveClock(service.testDatabase, '1 hour')
  const run = await runEnded(admin, id)
  assert.equal(run.attributes.status_code, 'system_error')
  await published(admin, 'undamaged', `steps: [{ target: ${front}, action: plain }]`)
  assert.equal((await runEnded(admin, await began(admin, 'undamaged'))).attributes.status_code, 'success')
  const early = await retry(admin, id)
  assert.deepEqual([early.status, early.text.includes(`the change ${beside} that it made has not`)], [409, true])
  await asOwner('drop function refuse() cascade')
  assert.match(run.attributes.error_message, /could not advance it/)
  const [line] = (await admin.get(`/api/workflow_runs/${id}/log_lines`)).body.data
  assert.deepEqual(
    [line.attributes.message, line.attributes.workflow_run_id, line.attributes.workflow_step_id],
    [run.attributes.error_message, id, null],
  )
  const { attributes } = await ended(admin, beside)
  assert.deepEqual([attributes.status_code, attributes.cancelled_by], ['cancelled', 'system'])
  await told(id, 'api:workflow_steps:system_error')
  await told(id, 'api:workflow_runs:system_error')
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:workflow_runs:abort api:workflow_runs:cancel api:workflow_runs:create api:workflow_runs:destroy
     api:workflow_runs:error api:workflow_runs:pause api:workflow_runs:resume api:workflow_runs:start
     api:workflow_runs:success api:workflow_runs:system_error api:workflow_steps:abort
     api:workflow_steps:approve api:workflow_steps:cancel api:workflow_steps:continue api:workflow_steps:error
     api:workflow_steps:reject api:workflow_steps:start api:workflow_steps:success
     api:workflow_steps:system_error audit:workflow_steps:approve audit:workflow_steps:approve:denied
     audit:workflow_steps:continue audit:workflow_steps:reject audit:workflow_steps:reject:denied
     error:workflow_step:aasm_failure error:workflow_step:run_failure`,
  ))
