import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { enqueue } from '../../src/platform/jobs/job-queue.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventTypes,
  newAsset,
  often,
  ran,
  type Shown,
  shop,
  statuses,
  stepAt,
} from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

const actions = `
actions:
  one: &held
    description: Waits at the gate that the change names
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
  two: *held
  quick: { description: x, run: "true" }
  pausing: { description: x, steps: [{ wait: a while, seconds: 3600 }] }
`

let service: TestService
let admin: Client
let gates: Gates
const assets: Record<string, string> = {}

before(async () => {
  service = await startTestService({
    users: {
      operator: [
        { path: '/projects/shop', read: true },
        { path: '/projects/shop/environments/live/assets', execute: true },
      ],
    },
  })
  admin = service.as('admin')
  gates = await newGates()
  assets['front'] = (await shop(service, { 'web/actions.yaml': actions })).asset
  for (const code of ['a', 'b', 'c', 'parallel', 'alone', 'approved']) assets[code] = await newAsset(admin, code)
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const start = async (asset: string, action: string, name = 'unused', client = admin): Promise<string> => {
  const property_overrides = { gates: gates.folder, name }
  return (await created(client.post(`${assets[asset]}/changes`, { action, property_overrides }))).id
}
const show = async (id: string): Promise<Shown> => (await admin.get(`/api/changes/${id}`)).body.data
const status = async (id: string): Promise<string> => (await show(id)).attributes.status_code
/** Waiting reason of an activity, and of its first unfinished step: kind and blocker. */
const reason = async (id: string, type = 'changes') => {
  const { body } = await admin.get(`/api/${type}/${id}/waiting_reason`)
  return body.data && [body.data.attributes.kind, body.data.attributes.by]
}
const success = async (id: string) => {
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'success')
  return change.attributes
}

async function set(where: string, data: object): Promise<void> {
  const { relationships } = (await admin.get(where)).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data })
  assert.equal(answer.status, 200, answer.text)
}

test('changes of one name run one after the other, oldest first; others do not wait for them', async () => {
  const first = await start('front', 'one', 'first')
  await gates.reached('first-began')
  const second = await start('front', 'one', 'second')
  const third = await start('front', 'one', 'third')
  await success(await start('front', 'quick'))
  assert.deepEqual([await status(second), await status(third)], ['pending', 'pending'])
  assert.deepEqual(
    [await reason(second), await reason(third)],
    [
      ['same_name', first],
      ['same_name', first],
    ],
  )
  assert.equal(await reason(first), null)
  for (const name of ['third', 'second', 'first']) await gates.open(name)
  const times = [await success(first), await success(second), await success(third)]
  assert.ok(times[0].finished_at <= times[1].started_at && times[1].finished_at <= times[2].started_at)
})

test('cancelling the older one of a name lets the next one start', async () => {
  const older = await start('front', 'one', 'never')
  await gates.reached('never-began')
  const younger = await start('front', 'one', 'younger')
  await gates.open('younger')
  await admin.delete(`/api/changes/${older}`)
  await success(younger)
  assert.equal(await status(older), 'cancelled')
})

test('with allow_parallel.runs_of_same_change those of one name run at once', async () => {
  await set(assets['parallel']!, { 'allow_parallel.runs_of_same_change': true })
  const both = [await start('parallel', 'one', 'left'), await start('parallel', 'one', 'right')]
  await Promise.all([gates.reached('left-began'), gates.reached('right-began')])
  await gates.open('left')
  await gates.open('right')
  for (const id of both) await success(id)
})

test('with allow_parallel.changes false a node runs one change at a time, whatever it is called', async () => {
  await set(assets['alone']!, { 'allow_parallel.changes': false })
  const first = await start('alone', 'one', 'alone-1')
  await gates.reached('alone-1-began')
  const second = await start('alone', 'two', 'alone-2')
  await success(await start('front', 'quick'))
  assert.equal(await status(second), 'pending')
  assert.deepEqual(await reason(second), ['parallel_not_allowed', first])
  await gates.open('alone-1')
  await gates.open('alone-2')
  assert.ok((await success(first)).finished_at <= (await success(second)).started_at)
})

test('with one slot three changes run one after the other, and a full pool is said once', async () => {
  await set('/api/system_configuration', { 'concurrent.runner_limit': 1 })
  await limitIs(1)
  const first = await start('a', 'one', 'slot-1')
  await gates.reached('slot-1-began')
  const others = [await start('b', 'one', 'slot-2'), await start('c', 'one', 'slot-3')]
  await until(
    'the full pool is said',
    () => admin.get('/api/events?filter[type_eq]=warn:resource_slot_pool:full'),
    ({ body }) => body.data.length > 0,
    often,
  )
  assert.deepEqual(await Promise.all(others.map(status)), ['pending', 'pending'])
  assert.deepEqual(await reason(others[1]!), ['slot', 'runner'])
  const [root] = (await admin.get(`/api/changes/${others[1]!}/steps`)).body.data
  assert.deepEqual(
    await reason(root.id, 'steps'),
    ['slot', 'runner'],
    'a step that has not begun says what its change waits for',
  )
  for (const name of ['slot-1', 'slot-2', 'slot-3']) await gates.open(name)
  const times = [await success(first), await success(others[0]!), await success(others[1]!)]
  assert.ok(times[0].finished_at <= times[1].started_at && times[1].finished_at <= times[2].started_at)
  const { data } = (await admin.get('/api/events?filter[type_eq]=warn:resource_slot_pool:full')).body
  assert.deepEqual(
    data.map(({ attributes }: Shown) => [attributes.pool, attributes.configured_limit]),
    [['runner', 1]],
  )
  await set('/api/system_configuration', { 'concurrent.runner_limit': null })
  await limitIs(15)
})

test('a job that comes late puts in force what the settings say, and not what they said', async () => {
  await set('/api/system_configuration', { 'concurrent.runner_limit': 2 })
  await limitIs(2)
  await service.database.transaction(tx => enqueue(tx, 'steps.limits', { limits: { runner: 9 } }))
  await until(
    'the job is worked',
    () =>
      service.database.one(sql<{ left: number }>`
        select count(*)::int as left from graphile_worker.jobs where task_identifier = 'steps.limits'`),
    row => row?.left === 0,
    often,
  )
  await limitIs(2)
  await set('/api/system_configuration', { 'concurrent.runner_limit': null })
  await limitIs(15)
})

async function limitIs(limit: number): Promise<void> {
  await until(
    `the limit is ${limit}`,
    () => service.database.one(sql<{ n: number }>`select configured_limit as n from slot_pools where pool = 'runner'`),
    row => row?.n === limit,
    often,
  )
}

test('maintenance mode holds what is new, lets run what runs, and lets go by itself', async () => {
  const running = await start('a', 'one', 'under-way')
  await gates.reached('under-way-began')
  await set('/api/system_configuration', { maintenance_mode: 'enabled' })
  const held = await start('b', 'quick')
  await changeWhen(admin, held, 'is pending', ({ attributes }) => attributes.status_code === 'pending')
  await gates.open('under-way')
  await success(running)
  assert.equal(await status(held), 'pending')
  assert.deepEqual(await reason(held), ['maintenance', 'admin'])
  assert.deepEqual(await eventTypes(admin, held), ['api:changes:create'])

  const byOperator = await start('c', 'quick', 'unused', service.as('operator'))
  await set('/api/system_configuration', { maintenance_mode: 'superuser_override' })
  await success(held)
  const behind = await start('c', 'quick')
  await success(behind)
  assert.equal(await status(byOperator), 'pending')
  assert.deepEqual(await reason(byOperator), ['maintenance', 'admin'])
  await set('/api/system_configuration', { maintenance_mode: 'disabled' })
  await success(byOperator)
  const { data } = (await admin.get('/api/events?filter[type_start]=info:maintenance_mode')).body
  assert.deepEqual(
    data.map(({ attributes }: Shown) => [attributes.type, attributes.username]),
    [
      ['info:maintenance_mode:enabled', 'admin'],
      ['info:maintenance_mode:disabled', 'admin'],
    ],
  )
})

test('a change that is to start later says until when it waits, and a wait step until when it goes on', async () => {
  const run_at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await created(admin.post(`${assets['front']}/changes`, { action: 'quick', run_at }))
  const { attributes } = (await admin.get(`/api/changes/${id}/waiting_reason`)).body.data
  assert.deepEqual([attributes.kind, new Date(attributes.estimated_until).toISOString()], ['start_time', run_at])
  await admin.delete(`/api/changes/${id}`)
  const waits = (await created(admin.post(`${assets['b']}/changes`, { action: 'pausing' }))).id
  await changeWhen(admin, waits, 'waits', each => each.attributes.status_code === 'waiting')
  const reasonOfWait = (await admin.get(`/api/changes/${waits}/waiting_reason`)).body.data.attributes
  assert.deepEqual([reasonOfWait.kind, reasonOfWait.by], ['timer', 'pausing/a while'])
  assert.ok(new Date(reasonOfWait.estimated_until).getTime() > new Date(reasonOfWait.since).getTime() + 3_000_000)
  await admin.post(`/api/changes/${waits}/pause`)
  const step = await stepAt(admin, waits, 'pausing/a while')
  const reasonOfStep = (await admin.get(`/api/steps/${step.id}/waiting_reason`)).body.data.attributes
  assert.deepEqual([reasonOfStep.kind, reasonOfStep.by, 'estimated_until' in reasonOfStep], ['paused', 'admin', false])
  await admin.delete(`/api/changes/${waits}`)
  assert.equal((await service.as('operator').get(`/api/changes/${crypto.randomUUID()}/waiting_reason`)).status, 404)
})

test('a change that needs approval waits for it, holds no runner, and can be cancelled', async () => {
  const rule = { change_filter: { actions: 'quick, o*' }, user_names: ['operator'] }
  await set(assets['approved']!, { requires_approval_from: [rule] })
  const id = await start('approved', 'quick')
  const waiting = await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code.startsWith('waiting'))
  assert.equal(waiting.attributes.status_code, 'waiting_for_approval')
  const steps = await statuses(admin, id)
  assert.deepEqual(
    steps.map(([, code]) => code),
    ['waiting_for_approval', 'pending'],
  )
  assert.deepEqual((await admin.get('/api/changes?filter[status_code_eq]=waiting')).body.data, [])
  assert.equal((await admin.get('/api/changes?filter[status_code_eq]=waiting_for_approval')).body.data.length, 1)
  assert.deepEqual(await reason(id), ['approval', 'Approval'])
  const [approval] = (await admin.get(`/api/changes/${id}/steps`)).body.data
  assert.deepEqual(await reason(approval.id, 'steps'), ['approval', 'Approval'])
  const claims = await service.database.rows(sql`select 1 from slot_claims where holder_id = ${id}::uuid`)
  assert.deepEqual(claims, [])
  await admin.delete(`/api/changes/${id}`)
  assert.equal((await ended(admin, id)).attributes.status_code, 'cancelled')
  assert.equal(
    (await ran(admin, assets['approved']!, 'two', { property_overrides: { gates: gates.folder, name: 'slot-1' } }))
      .attributes.status_code,
    'success',
  )
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:cancel api:changes:start api:changes:success warn:resource_slot_pool:full`,
  ))
