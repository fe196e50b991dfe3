import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { changeWhen, created, ended, newAsset, often, type Shown, shop } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { began, published, runEnded, runStatuses, runStepWhen, runWhen, stepsOfRun } from '../support/workflows.ts'

/** Admission, maintenance and the drain for workflow runs, and for activities created by schedules. */

const actions = `
actions:
  held:
    description: Waits at the gate that the run names
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
  quick: { description: x, run: "true" }
`
const front = 'environments/live/assets/front'
const back = 'environments/live/assets/back'
const atFront = '/api/projects/shop/environments/live/assets/front'
const atGate = `{ target: ${front}, action: held, name: gate, property_overrides: { gates: "{{ gates }}", name: "{{ name }}" } }`
const workflows = {
  gated: `steps: [${atGate}]`,
  'also-gated': `steps: [${atGate}]`,
  plain: `steps: [{ target: ${back}, action: quick, name: only }]`,
  another: `steps: [{ target: ${back}, action: quick, name: only }]`,
  asking: 'steps: [{ type: wait, name: go on }]',
  approved: `
steps:
  - { type: wait, name: look, requires_approval_from: { user_names: [operator] } }
  - { target: ${back}, action: quick, name: then }`,
  long: `
steps:
  - ${atGate}
  - { target: ${front}, action: quick, name: change }
  - { type: workflow, target: plain, name: run }`,
} as const

let service: TestService
let admin: Client
let operator: Client
let gates: Gates

before(async () => {
  const everything = { read: true, update: true, execute: true, delete: true }
  service = await startTestService({ users: { operator: [{ path: '/projects/shop', ...everything }] } })
  admin = service.as('admin')
  operator = service.as('operator')
  gates = await newGates()
  await shop(service, { 'web/actions.yaml': actions })
  await newAsset(admin, 'back')
  const { body } = await admin.get('/api/projects/shop')
  const data = { gates: gates.folder, name: 'unused' }
  assert.equal((await admin.patch(body.data.relationships.properties.links.related, { data })).status, 200)
  for (const [code, source] of Object.entries(workflows)) await published(admin, code, source)
  await drained()
})
after(async () => {
  await service.stop()
  await gates.remove()
})
beforeEach(() => switchTo('disabled'))

async function settings(of: string, data: object): Promise<void> {
  const { relationships } = (await admin.get(of)).body.data
  assert.equal((await admin.patch(`/api/settings/${relationships.settings.data.id}`, { data })).status, 200)
}
const switchTo = (maintenance_mode: string) => settings('/api/system_configuration', { maintenance_mode })
const start = (client: Client, code: keyof typeof workflows, name = 'unused') =>
  began(client, code, { property_overrides: { gates: gates.folder, name } })
const statusOf = async (id: string): Promise<string> =>
  (await admin.get(`/api/workflow_runs/${id}`)).body.data.attributes.status_code
const isPending = (id: string) =>
  runWhen(admin, id, 'is pending', ({ attributes }) => attributes.status_code === 'pending')
async function succeeds(id: string): Promise<Shown['attributes']> {
  const { attributes } = await runEnded(admin, id)
  assert.equal(attributes.status_code, 'success')
  return attributes
}
/** Admission has seen and skipped it: everything else that could start was started meanwhile. */
async function staysPending(id: string, started: string): Promise<void> {
  await succeeds(started)
  assert.equal(await statusOf(id), 'pending')
}
const reason = async (id: string, type = 'workflow_runs') => {
  const { data } = (await admin.get(`/api/${type}/${id}/waiting_reason`)).body
  return data && [data.attributes.kind, data.attributes.by]
}
const drain = async () => (await admin.get('/api/admin/drain_status')).body.data.attributes
const drained = () => until('nothing is in progress', drain, told => told.drained, often)
const typesOf = async (id: string) =>
  (await admin.get(`/api/events?filter[for_workflow_run]=${id}&limit=1000`)).body.data.map(
    ({ attributes }: Shown) => attributes.type,
  )

test('a run is made under maintenance as ever, looks like one that waits for another, and makes nothing before it starts', async () => {
  const first = await start(admin, 'gated', 'first')
  await gates.reached('first-began')
  const behind = await start(admin, 'gated', 'behind')
  await isPending(behind)
  assert.deepEqual(await reason(behind), ['same_name', first])
  await switchTo('enabled')
  const held = await start(admin, 'also-gated', 'behind')
  const of = async (id: string) => {
    const { attributes, relationships, meta } = (await isPending(id)) as Shown & { relationships: object }
    const { workflow_code, name, created_at, updated_at, state_timing, ...same } = attributes
    return { same, relationships: Object.keys(relationships), meta, steps: await runStatuses(admin, id) }
  }
  assert.deepEqual(await of(held), await of(behind))
  assert.deepEqual(await reason(held), ['maintenance', 'admin'])

  const told = await drain()
  assert.deepEqual(told.active_counts, { changes: 1, workflow_runs: 1, background_tasks: 0 })
  const run = told.blockers.find((each: { type: string }) => each.type === 'workflow_run')
  assert.deepEqual([run.id, run.name, run.path, run.created_by], [first, 'gated', '/projects/shop', 'admin'])
  assert.deepEqual([run.waits_for.kind, run.waits_for.by], ['step', 'gated/gate'])

  await gates.open('first')
  await succeeds(first)
  await drained()
  assert.deepEqual((await stepsOfRun(admin, held)).at(-1).relationships.changes.data, [])
  assert.deepEqual(await typesOf(held), ['api:workflow_runs:create'])
  for (const id of [behind, held]) assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
})

for (const mode of ['enabled', 'superuser_override'])
  test(`a run that has begun goes on to its end under ${mode}, with the change and the run that its steps make only then`, async () => {
    const running = await start(operator, 'long', mode)
    await gates.reached(`${mode}-began`)
    await switchTo(mode)
    // Older than the run's children, of the same names, and blocked by nothing but maintenance.
    const older = await created(operator.post(`${atFront}/changes`, { action: 'quick' }))
    const olderRun = await start(operator, 'plain')
    for (const [id, type] of [
      [older.id, 'changes'],
      [olderRun, 'workflow_runs'],
    ] as const)
      await until(
        `${type} wait for maintenance`,
        () => reason(id, type),
        why => why?.[0] === 'maintenance',
        often,
      )
    await gates.open(mode)
    await succeeds(running)
    assert.deepEqual(await runStatuses(admin, running), [
      ['gate', 'success'],
      ['change', 'success'],
      ['run', 'success'],
    ])
    assert.equal(await statusOf(olderRun), 'pending')
    await switchTo('disabled')
    await succeeds(olderRun)
    assert.equal((await ended(admin, older.id)).attributes.status_code, 'success')
  })

test('turned off, maintenance needs no further action: runs start, those of one name in the order in which they were made', async () => {
  await switchTo('enabled')
  const [first, second, other] = [
    await start(operator, 'plain'),
    await start(admin, 'plain'),
    await start(operator, 'another'),
  ]
  for (const id of [first, second, other]) await isPending(id)
  await switchTo('disabled')
  const times = [await succeeds(first), await succeeds(second)]
  await succeeds(other)
  assert.ok(times[0].finished_at <= times[1].started_at)
})

test('under superuser_override it counts who made the run, not who approves or touches it', async () => {
  await switchTo('superuser_override')
  const ofAdmin = await start(admin, 'approved')
  const look = await runStepWhen(admin, ofAdmin, 'look', 'waiting_for_approval')
  const [blocker] = (await drain()).blockers
  assert.deepEqual([blocker.id, blocker.waits_for.kind], [ofAdmin, 'approval'])
  assert.deepEqual(blocker.waits_for.approvers, { user_names: ['operator'], ldap_groups: [] })
  assert.equal((await operator.post(`/api/workflow_steps/${look.id}/approve`, {})).status, 200)
  await succeeds(ofAdmin)

  const ofOperator = await start(operator, 'plain')
  for (const verb of ['pause', 'resume'])
    assert.equal((await admin.post(`/api/workflow_runs/${ofOperator}/${verb}`, {})).status, 200)
  await staysPending(ofOperator, await start(admin, 'another'))
  await switchTo('disabled')
  await succeeds(ofOperator)
})

test('a superuser’s run passes by an older one of its workflow that only maintenance holds, and by no other', async () => {
  await switchTo('superuser_override')
  const held = await start(operator, 'plain')
  await staysPending(held, await start(admin, 'plain'))

  const paused = await start(operator, 'another')
  assert.equal((await operator.post(`/api/workflow_runs/${paused}/pause`, {})).status, 200)
  const behind = await start(admin, 'another')
  await staysPending(behind, await start(admin, 'plain'))
  assert.deepEqual(await reason(behind), ['same_name', paused])
  assert.equal((await operator.post(`/api/workflow_runs/${paused}/resume`, {})).status, 200)
  await succeeds(behind)
  await switchTo('disabled')
  for (const id of [held, paused]) await succeeds(id)
})

test('a run that is stopped at a wait counts in the drain until it goes on or is cancelled', async () => {
  await drained()
  await settings('/api/projects/shop', { 'allow_parallel.runs_of_same_workflow': true })
  const [goesOn, cancelled] = [await start(operator, 'asking'), await start(operator, 'asking')]
  const step = await runStepWhen(admin, goesOn, 'go on', 'waiting')
  await runStepWhen(admin, cancelled, 'go on', 'waiting')
  await switchTo('enabled')
  const counts = async () => (await drain()).active_counts.workflow_runs
  assert.equal(await counts(), 2)
  assert.equal((await operator.post(`/api/workflow_steps/${step.id}/continue`, {})).status, 200)
  await succeeds(goesOn)
  assert.equal(await counts(), 1)
  assert.equal((await operator.delete(`/api/workflow_runs/${cancelled}`)).status, 204)
  await drained()
  await settings('/api/projects/shop', { 'allow_parallel.runs_of_same_workflow': null })
})

test('runs of one workflow run one after the other, or at once where that is allowed', async () => {
  const first = await start(admin, 'asking')
  const step = await runStepWhen(admin, first, 'go on', 'waiting')
  const second = await start(admin, 'asking')
  await isPending(second)
  assert.deepEqual(await reason(second), ['same_name', first])
  // Its settings are read when a run is created.
  await settings('/api/projects/shop', { 'allow_parallel.runs_of_same_workflow': true })
  const beside = await start(admin, 'asking')
  await runStepWhen(admin, beside, 'go on', 'waiting')
  assert.equal(await statusOf(second), 'pending')
  assert.equal((await admin.post(`/api/workflow_steps/${step.id}/continue`, {})).status, 200)
  await runStepWhen(admin, second, 'go on', 'waiting')
  for (const id of [second, beside]) assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  await settings('/api/projects/shop', { 'allow_parallel.runs_of_same_workflow': null })
})

test('a run starts only while a slot for a runner is free, and takes none itself', async () => {
  const limit = (runner: number | null) => settings('/api/system_configuration', { 'concurrent.runner_limit': runner })
  const pool = async () =>
    (await service.database.one(sql<{ used: number; configured: number }>`
      select used, configured_limit as configured from slot_pools where pool = 'runner'`))!
  await drained()
  await limit(1)
  await until('the limit is in force', pool, ({ configured }) => configured === 1, often)
  const overrides = { gates: gates.folder, name: 'slot' }
  const { id } = await created(admin.post(`${atFront}/changes`, { action: 'held', property_overrides: overrides }))
  await gates.reached('slot-began')
  const run = await start(admin, 'asking')
  await isPending(run)
  assert.deepEqual(await reason(run), ['slot', 'runner'])
  await gates.open('slot')
  await ended(admin, id)
  const step = await runStepWhen(admin, run, 'go on', 'waiting')
  await until('the change has given its slot back', pool, ({ used }) => used === 0, often)
  assert.equal((await admin.post(`/api/workflow_steps/${step.id}/continue`, {})).status, 200)
  await succeeds(run)
  await limit(null)
})

test('what a schedule makes is held like anything else, by who made the schedule', async () => {
  await drained()
  await switchTo('superuser_override')
  const run_at = new Date(Date.now() + 3_600_000).toISOString()
  const plan = (client: Client, at: string, what: object) =>
    created(client.post(`${at}/scheduled_activities`, { ...what, cron_schedule: null, run_at }))
  const project = '/api/projects/shop'
  const plans = [
    await plan(operator, atFront, { action: 'quick' }),
    await plan(operator, project, { workflow_code: 'plain' }),
    await plan(admin, project, { workflow_code: 'another' }),
  ]
  await moveClock(service.testDatabase, '3601 seconds')
  const made: string[] = []
  for (const { id } of plans) {
    const row = await until(
      'the schedule has made something',
      () =>
        service.database.one(sql<{ id: string | null }>`
          select activity_id as id from schedule_occurrences where schedule_id = ${id}::uuid`),
      found => typeof found?.id === 'string',
      often,
    )
    made.push(row!.id!)
  }
  const [change, run, ofAdmin] = made as [string, string, string]
  await staysPending(run, ofAdmin)
  assert.deepEqual(
    [await reason(change, 'changes'), await reason(run)],
    [
      ['maintenance', 'admin'],
      ['maintenance', 'admin'],
    ],
  )
  await drained()
  await switchTo('disabled')
  await succeeds(run)
  await changeWhen(admin, change, 'succeeds', ({ attributes }) => attributes.status_code === 'success')
})
