import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventTypes,
  linesOf,
  newAsset,
  often,
  type Shown,
  shop,
  stepAt,
  taskWhen,
} from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Maintenance mode and the drain, sentence by sentence, through the API only. */

const actions = `
actions:
  held: &held
    description: Waits at the gate that the change names
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
  also held: *held
  quick: { description: x, run: "true" }
  failing: { description: x, run: "false" }
  approved: { description: x, run: "true" }
  asking: { description: x, steps: [{ wait: go on }] }
  two: { description: x, steps: [held, quick] }
  resumed: { description: x, steps: [{ wait: go on }, quick] }
  stubborn:
    description: Ends only when its gate opens, also when it is told to stop
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      trap ': >"$GATES/$NAME-told"' TERM
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02 || :; done
`
/** Set by a background task, in a runner: its log says so. */
const program = `
import { action } from '@sluice/actions'
console.log('the program is asked')
action('sell', { description: 'Sell it' }, () => {})
`

const config = '/api/system_configuration'
let service: TestService
let admin: Client
let operator: Client
let gates: Gates
let asset: string
let other: string
let programmed: string

before(async () => {
  const everything = { read: true, update: true, execute: true, delete: true }
  service = await startTestService({
    users: {
      operator: [{ path: '/projects/shop', ...everything }],
      watcher: [{ path: '/admin', read: true }],
      configurer: [{ path: '/system_configuration', update: true }],
    },
  })
  admin = service.as('admin')
  operator = service.as('operator')
  gates = await newGates()
  const files = { 'web/actions.yaml': actions, 'web/model.json.erb': '{"actions": []}', 'sold/actions.ts': program }
  asset = (await shop(service, files)).asset
  other = await newAsset(admin, 'other')
  const template = { code: 'sold', name: 'Sold', template_type: 'asset', git_remote_name: 'code' }
  await created(admin.post('/api/projects/shop/templates', template))
  await admin.put('/api/projects/shop/templates/sold/versions/1.0', { git_rev: 'main' })
  await until(
    'the version is ready',
    () => admin.get('/api/projects/shop/templates/sold/versions/1.0'),
    ({ body }) => body.data.attributes.state === 'ready',
    often,
  )
  programmed = await newAsset(admin, 'programmed', { template_code: 'sold' })
  await drainedWhen(true)
})
after(async () => {
  await service.stop()
  await gates.remove()
})
beforeEach(() => switchTo('disabled'))

async function settings(data: object, client = admin) {
  const { relationships } = (await admin.get(config)).body.data
  return client.patch(`/api/settings/${relationships.settings.data.id}`, { data })
}
const switchTo = (maintenance_mode: string, client = admin) => settings({ maintenance_mode }, client)
/** Sets a limit of slots; null: the default. */
async function limit(pool: string, setting: string, value: number | null): Promise<void> {
  assert.equal((await settings({ [setting]: value })).status, 200)
  await until(
    `the limit of ${pool} is in force`,
    () =>
      service.database.one(sql<{ n: number }>`
        select configured_limit as n from slot_pools where pool = ${pool}`),
    row => (value === null ? row!.n > 1 : row!.n === value),
    often,
  )
}
const switches = async () =>
  (await admin.get('/api/events?limit=1000&filter[type_start]=info:maintenance_mode')).body.data.map(
    ({ attributes }: Shown) => attributes.type,
  )
const start = async (client: Client, action: string, name = 'unused', at = asset): Promise<string> =>
  (await created(client.post(`${at}/changes`, { action, property_overrides: { gates: gates.folder, name } }))).id
const show = async (id: string): Promise<Shown> => (await admin.get(`/api/changes/${id}`)).body.data
const status = async (id: string): Promise<string> => (await show(id)).attributes.status_code
const isPending = (id: string) =>
  changeWhen(admin, id, 'is pending', ({ attributes }) => attributes.status_code === 'pending')
async function succeeds(id: string): Promise<void> {
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
}
/** Admission has seen and skipped it: everything else that could start was started meanwhile. */
async function staysPending(id: string, started: string): Promise<void> {
  await succeeds(started)
  assert.equal(await status(id), 'pending')
}
async function drain(client = admin) {
  const told = (await client.get('/api/admin/drain_status')).body.data.attributes
  const { changes, workflow_runs, background_tasks } = told.active_counts
  // However much is in progress, the whole response is consistent.
  assert.equal(told.blockers.length, changes + workflow_runs + background_tasks)
  assert.equal(told.drained, told.blockers.length === 0)
  return told
}
async function drainedWhen(drained: boolean) {
  return until(
    `drained is ${drained}`,
    () => drain(),
    each => each.drained === drained,
    often,
  )
}
const counts = async () => {
  const { changes, workflow_runs, background_tasks } = (await drain()).active_counts
  return [changes, workflow_runs, background_tasks]
}

test('creating a change succeeds normally under maintenance, and the record does not tell why it is pending', async () => {
  const first = await start(admin, 'held', 'before')
  await gates.reached('before-began')
  const behind = await start(admin, 'held', 'behind')
  await switchTo('enabled')
  const held = await start(admin, 'also held', 'behind')
  const of = async (id: string) => {
    const { attributes, relationships, meta } = (await isPending(id)) as Shown & { relationships: object }
    const { action, step_name, created_at, updated_at, state_timing, ...same } = attributes
    return { same, relationships: Object.keys(relationships), meta }
  }
  assert.deepEqual(await of(held), await of(behind))
  // The consequences are the same too: nothing runs, its log is empty.
  assert.deepEqual(await linesOf(admin, `/api/changes/${held}`), [])
  await gates.open('before')
  await succeeds(first)
  await admin.delete(`/api/changes/${behind}`)
  await admin.delete(`/api/changes/${held}`)
})

test('what runs already is unaffected and runs to completion, all its steps', async () => {
  const running = await start(operator, 'two', 'two')
  await gates.reached('two-began')
  await switchTo('enabled')
  await gates.open('two')
  await succeeds(running)
})

test('turned off, maintenance needs no further action: what was held starts', async () => {
  await switchTo('enabled')
  const held = [await start(admin, 'quick'), await start(operator, 'quick', 'unused', other)]
  for (const id of held) await isPending(id)
  await switchTo('disabled')
  for (const id of held) await succeeds(id)
})

test('nothing is built or deployed for a change that maintenance holds', async () => {
  const { rows } = service.database
  await switchTo('superuser_override')
  const held = await start(operator, 'quick')
  await staysPending(held, await start(admin, 'quick', 'unused', other))
  assert.deepEqual(await rows(sql`select from runners where activity_id = ${held}::uuid`), [])
  assert.deepEqual(await rows(sql`select from slot_claims where holder_id = ${held}::uuid`), [])
  assert.deepEqual(await eventTypes(admin, held), ['api:changes:create'])
  await switchTo('disabled')
  await succeeds(held)
})

test('background tasks are held alike: initializing, with nothing derived or generated, until they start by themselves', async () => {
  await switchTo('enabled')
  const tasks = (at: string) => `${at}/node_background_tasks`
  const refresh = await created(admin.post(tasks(programmed)))
  const model = await created(operator.post(`${asset}/models/generate`))
  assert.deepEqual([refresh.attributes.status_code, model.attributes.status_code], ['initializing', 'initializing'])
  const logOf = async ({ id }: Shown) =>
    (await admin.get(`/api/node_background_task_log_lines?node_background_task_id=${id}`)).body.data.map(
      ({ attributes }: Shown) => attributes.message,
    )
  assert.deepEqual(await counts(), [0, 0, 0])
  assert.equal((await drain()).drained, true, 'a task that maintenance holds does not count')
  assert.deepEqual(await logOf(refresh), [])

  await switchTo('superuser_override')
  await taskWhen(admin, `${tasks(programmed)}/${refresh.id}`, 'success')
  assert.ok((await logOf(refresh)).includes('the program is asked'))
  assert.deepEqual(await logOf(model), [])
  const stillHeld = (await admin.get(`${tasks(asset)}/${model.id}`)).body.data
  assert.equal(stillHeld.attributes.status_code, 'initializing')
  assert.deepEqual((await admin.get(`${asset}/models`)).body.data, [])
  await switchTo('disabled')
  await taskWhen(admin, `${tasks(asset)}/${model.id}`, 'success')
})

test('switching needs update on the configuration; each real switch is one event, between the on-values none', async () => {
  assert.ok((await switchTo('enabled', operator)).status >= 403)
  const before = (await switches()).length
  for (const mode of ['enabled', 'superuser_override', 'superuser_override', 'enabled', 'disabled'])
    assert.equal((await switchTo(mode, service.as('configurer'))).status, 200)
  assert.deepEqual((await switches()).slice(before), [
    'info:maintenance_mode:enabled',
    'info:maintenance_mode:disabled',
  ])
})

test('under superuser_override it counts who made it, not who approves or touches it', async () => {
  const { relationships } = (await admin.get(asset)).body.data
  const rule = { change_filter: { actions: 'approved' }, user_names: ['operator'], allow_self_approval: false }
  await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data: { requires_approval_from: [rule] } })
  await switchTo('superuser_override')
  const ofAdmin = await start(admin, 'approved')
  await changeWhen(admin, ofAdmin, 'waits', each => each.attributes.status_code === 'waiting_for_approval')
  const { id } = await stepAt(admin, ofAdmin, 'Approval')
  assert.equal((await operator.post(`/api/steps/${id}/approve`)).status, 200)
  await succeeds(ofAdmin)

  const ofOperator = await start(operator, 'quick')
  for (const verb of ['pause', 'resume'])
    assert.equal((await admin.post(`/api/changes/${ofOperator}/${verb}`)).status, 200)
  await staysPending(ofOperator, await start(admin, 'quick', 'unused', other))
  await switchTo('disabled')
  await succeeds(ofOperator)
})

test('a superuser retries what an operator’s retry, which only maintenance holds, retries too; no other passes it', async () => {
  const retryOf = (client: Client, id: string) => {
    const change = { data: { type: 'change', id } }
    const raw = JSON.stringify({ data: { attributes: { retry: true }, relationships: { change } } })
    return client.send('POST', '/api/changes', { raw })
  }
  const failed = (await created(operator.post(`${asset}/changes`, { action: 'failing' }))).id
  assert.equal((await ended(admin, failed)).attributes.status_code, 'error')
  await switchTo('superuser_override')
  const held = (await created(retryOf(operator, failed))).id
  assert.equal((await retryOf(operator, failed)).status, 409)
  const { id } = await created(retryOf(admin, failed))
  assert.equal((await ended(admin, id)).attributes.status_code, 'error')
  await staysPending(held, await start(admin, 'quick'))
  // For any other reason it is blocked.
  assert.equal((await operator.post(`/api/changes/${held}/pause`)).status, 200)
  assert.equal((await retryOf(admin, failed)).status, 409)
  assert.equal((await operator.delete(`/api/changes/${held}`)).status, 204)
  await switchTo('disabled')
})

test('a superuser’s change passes by an older one of its name that only maintenance holds, and by no other', async () => {
  await switchTo('superuser_override')
  const held = await start(operator, 'quick')
  await staysPending(held, await start(admin, 'quick'))

  const paused = await start(operator, 'quick', 'unused', other)
  assert.equal((await operator.post(`/api/changes/${paused}/pause`)).status, 200)
  const behind = await start(admin, 'quick', 'unused', other)
  await staysPending(behind, await start(admin, 'quick'))
  await operator.post(`/api/changes/${paused}/resume`)
  await succeeds(behind)
  await switchTo('disabled')
  for (const id of [held, paused]) await succeeds(id)
})

test('pausing one change is another way: what runs finishes and no new step starts until it is resumed', async () => {
  const id = await start(admin, 'two', 'paused-one')
  await gates.reached('paused-one-began')
  await admin.post(`/api/changes/${id}/pause`)
  await gates.open('paused-one')
  await changeWhen(admin, id, 'is paused', ({ attributes }) => attributes.pause_state === 'paused')
  assert.equal((await stepAt(admin, id, 'two/quick')).attributes.started_at, null)
  const [blocker] = (await drain()).blockers
  assert.deepEqual([blocker.id, blocker.waits_for.kind, blocker.waits_for.by], [id, 'paused', 'admin'])
  await admin.post(`/api/changes/${id}/resume`)
  await succeeds(id)
})

test('the drain counts what is queued, runs or waits, a step at its wait step too, until it goes on or is cancelled', async () => {
  await drainedWhen(true)
  const [running, waiting, cancelled] = [
    await start(admin, 'held', 'drain'),
    await start(admin, 'asking'),
    await start(operator, 'asking', 'unused', other),
  ]
  await gates.reached('drain-began')
  const waits = (each: Shown) => each.attributes.status_code === 'waiting'
  for (const id of [waiting, cancelled]) await changeWhen(admin, id, 'waits', waits)
  await switchTo('enabled')
  const held = await start(admin, 'quick')
  await isPending(held)
  assert.deepEqual(await counts(), [3, 0, 0])
  const told = await drain()
  assert.equal(told.drained, false)
  const of = (id: string) => told.blockers.find((each: { id: string }) => each.id === id)
  assert.deepEqual(Object.keys(of(running)).toSorted(), [
    ...['created_by', 'id', 'name', 'path', 'since', 'status_code', 'type', 'waits_for'],
  ])
  assert.deepEqual(
    [of(running), of(waiting), of(cancelled)].map(each => [each.type, each.name, each.created_by, each.waits_for.kind]),
    [
      ['change', 'held', 'admin', 'step'],
      ['change', 'asking', 'admin', 'input'],
      ['change', 'asking', 'operator', 'input'],
    ],
  )
  assert.equal(of(waiting).path, '/projects/shop/environments/live/assets/front')
  assert.equal(of(waiting).waits_for.by, 'asking/go on')
  assert.equal(of(waiting).since, (await show(waiting)).attributes.started_at)

  await gates.open('drain')
  await succeeds(running)
  await admin.post(`/api/steps/${(await stepAt(admin, waiting, 'asking/go on')).id}/continue`)
  await operator.delete(`/api/changes/${cancelled}`)
  await drainedWhen(true)
  assert.equal(await status(held), 'pending', 'what is held pending does not count')
  await switchTo('disabled')
  await succeeds(held)
})

test('the drain counts what stands in line to go on, and what is being cancelled until it has ended', async () => {
  await drainedWhen(true)
  await settings({ 'runner.idle_timeout': 0 })
  await limit('runner', 'concurrent.runner_limit', 1)
  const inLine = await start(admin, 'resumed', 'unused', other)
  await changeWhen(admin, inLine, 'waits', each => each.attributes.status_code === 'waiting')
  const stubborn = await start(operator, 'stubborn', 'stubborn')
  await gates.reached('stubborn-began')
  await switchTo('enabled')
  await admin.post(`/api/steps/${(await stepAt(admin, inLine, 'resumed/go on')).id}/continue`)
  await changeWhen(admin, inLine, 'stands in line', each => each.attributes.status_code === 'queued')
  assert.equal((await admin.delete(`/api/changes/${stubborn}`)).status, 204)
  await gates.reached('stubborn-told')
  assert.deepEqual(await counts(), [2, 0, 0])
  const { blockers } = await drain()
  const of = (id: string) => {
    const { status_code, waits_for } = blockers.find((each: { id: string }) => each.id === id)
    return [status_code, waits_for.kind, waits_for.by]
  }
  assert.deepEqual(
    [of(inLine), of(stubborn)],
    [
      ['queued', 'slot', 'runner'],
      ['running', 'cancel', 'admin'],
    ],
  )
  await gates.open('stubborn')
  assert.equal((await ended(admin, stubborn)).attributes.status_code, 'cancelled')
  await succeeds(inLine)
  await drainedWhen(true)
  await settings({ 'runner.idle_timeout': null })
  await limit('runner', 'concurrent.runner_limit', null)
})

test('an approval that holds the drain up says whose it is', async () => {
  const id = await start(admin, 'approved')
  await changeWhen(admin, id, 'waits', each => each.attributes.status_code === 'waiting_for_approval')
  const [blocker] = (await drain()).blockers
  assert.equal(blocker.status_code, 'waiting_for_approval')
  assert.deepEqual([blocker.waits_for.kind, blocker.waits_for.by], ['approval', 'Approval'])
  assert.deepEqual(blocker.waits_for.approvers, { user_names: ['operator'], ldap_groups: [] })
  // Counted for everybody alike, and named only to callers who may read it.
  const seen = await drain(service.as('watcher'))
  assert.deepEqual(seen.active_counts, { changes: 1, workflow_runs: 0, background_tasks: 0 })
  assert.deepEqual(
    seen.blockers.map(({ path, id, name, created_by, waits_for }: Record<string, unknown>) => [
      ...[path, id, name, created_by, waits_for],
    ]),
    [['hidden', null, null, null, null]],
  )
  assert.equal((await operator.get('/api/admin/drain_status')).status, 403)
  await admin.delete(`/api/changes/${id}`)
})

test('the drain counts background tasks that run or will: those in line, unless maintenance holds who made them', async () => {
  await drainedWhen(true)
  await limit('actions_refresh', 'concurrent.refresh_limit', 0)
  const task = `${programmed}/node_background_tasks/${(await created(admin.post(`${programmed}/node_background_tasks`))).id}`
  const counted = [await counts()]
  const [blocker] = (await drain()).blockers
  assert.deepEqual(
    [blocker.type, blocker.name, blocker.waits_for.kind, blocker.waits_for.by],
    ['node_background_task', 'GenerateActionsRequest', 'slot', 'actions_refresh'],
  )
  for (const mode of ['superuser_override', 'enabled']) {
    await switchTo(mode)
    counted.push(await counts())
  }
  assert.deepEqual(counted, [
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 0],
  ])
  await switchTo('disabled')
  await limit('actions_refresh', 'concurrent.refresh_limit', null)
  await taskWhen(admin, task, 'success')
})

test('the installation says of itself that maintenance is on, and whether superusers are exempt', async () => {
  const seen: boolean[][] = []
  for (const mode of ['disabled', 'enabled', 'superuser_override']) {
    await switchTo(mode)
    const { maintenance_mode, maintenance_mode_exempts_superusers } = (await service.as('watcher').get('/api/info'))
      .body.data.attributes
    seen.push([maintenance_mode, maintenance_mode_exempts_superusers])
  }
  assert.deepEqual(seen, [
    [false, false],
    [true, false],
    [true, true],
  ])
  const ids = await Promise.all(
    ['/api/info', '/api/admin/drain_status'].map(async path => (await admin.get(path)).body.data.id),
  )
  const [installation] = await service.database.rows(sql<{ id: string }>`select id from installation`)
  assert.deepEqual(ids, [installation!.id, installation!.id])
})

test('the installation says what separates its steps: whether they have a user of their own, and a sandbox', async () => {
  const isolation = async () => (await service.as('watcher').get('/api/info')).body.data.attributes.step_isolation
  const user = process.getuid?.() === 0 ? 'separate' : 'service'
  assert.deepEqual(await isolation(), { user, sandbox: 'always' })
  const global = (await admin.get(config)).body.data.relationships.settings.links.related
  const set = async (data: object) => assert.equal((await admin.patch(global, { data })).status, 200)
  await set({ 'allowed.runner.sandbox': [false] })
  assert.deepEqual(await isolation(), { user, sandbox: 'unless_switched_off' })
  await set({ 'runner.sandbox': false })
  assert.deepEqual(await isolation(), { user, sandbox: 'never' })
  const api = await service.beside('api')
  await service.halt({ keepRunners: false })
  await service.startAgain()
  assert.match(
    service.logged.join('\n'),
    /Steps run without a sandbox, because the global setting runner.sandbox is false/,
  )
  await api.stop({ keepRunners: false })
  await set({ 'runner.sandbox': null, 'allowed.runner.sandbox': null })
  assert.deepEqual(await isolation(), { user, sandbox: 'always' })
})

test('whoever administers sees what holds the slots, which processes serve, and how the database is', async () => {
  const watcher = service.as('watcher')
  const id = await start(admin, 'held', 'slots')
  await gates.reached('slots-began')
  const [pool] = (await admin.get('/api/admin/resource_slots?filter[pool_eq]=runner')).body.data
  assert.deepEqual([pool.attributes.claimed_count, pool.attributes.waiting_count], [1, 0])
  assert.ok(pool.attributes.configured_limit >= 1)
  const slotsFor = async (client: Client) =>
    (await client.get(`/api/admin/resource_slots/${pool.id}`)).body.data.attributes.slots
  const [slot] = await slotsFor(admin)
  assert.deepEqual(Object.keys(slot).toSorted(), ['claimed_at', 'claimed_by', 'node_path', 'slot'])
  assert.deepEqual(slot.claimed_by, { type: 'activity', id })
  assert.equal(slot.node_path, '/projects/shop/environments/live/assets/front')
  assert.deepEqual(await slotsFor(watcher), [{ ...slot, claimed_by: null, node_path: 'hidden' }])
  const [{ attributes: site }] = (await admin.get('/api/admin/sites')).body.data
  assert.equal(site.processes, 1)
  assert.ok(site.runners >= 1)
  await gates.open('slots')
  await succeeds(id)

  const workers = (await watcher.get('/api/admin/workers')).body.data
  assert.deepEqual(
    workers.map(({ attributes }: Shown) => [attributes.role, attributes.pid, attributes.failing_loops]),
    [['all', process.pid, []]],
  )
  const { applied } = (await service.database.one(sql<{ applied: number }>`
    select max(left(name, 4)::integer) as applied from schema_migrations`))!
  assert.equal(workers[0].attributes.schema_version, applied)
  const { attributes } = (await watcher.get('/api/admin/database')).body.data
  assert.ok(attributes.bytes > 1_000_000 && attributes.connections > 0, JSON.stringify(attributes))
  for (const path of ['resource_slots', 'workers', 'database', 'sites', 'jobs']) {
    const { status } = await operator.get(`/api/admin/${path}`)
    assert.equal(status, 403, path)
  }
})
