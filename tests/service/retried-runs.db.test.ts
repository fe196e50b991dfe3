import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { changeWhen, created, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
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
  plain: { description: x, run: echo plain }
  bad: { description: x, run: exit 7 }
  asks: { description: x, steps: [{ wait: Look }, plain] }
`

const front = 'environments/live/assets/front'
const plain = (name: string) => `{ target: ${front}, action: plain, name: ${name} }`
const bad = (name: string) => `{ target: ${front}, action: bad, name: ${name} }`
const list = (...steps: string[]) => `steps:\n${steps.map(each => `  - ${each}\n`).join('')}`

let service: TestService
let admin: Client
let eve: Client

before(async () => {
  service = await startTestService({ users: { eve: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  eve = service.as('eve')
  await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

async function retried(id: string, attributes: object = {}): Promise<string> {
  const relationships = { workflow_run: { data: { type: 'workflow_run', id } } }
  const raw = JSON.stringify({ data: { attributes: { retry: true, ...attributes }, relationships } })
  return (await created(admin.send('POST', '/api/workflow_runs', { raw }))).id
}

async function goOn(run: string, name: string): Promise<void> {
  const { id } = await runStepWhen(admin, run, name, 'waiting')
  assert.equal((await admin.post(`/api/workflow_steps/${id}/continue`, {})).status, 200)
}

/** The child run of a step. */
async function runOfStep(run: string, name: string): Promise<string> {
  await runStepWhen(admin, run, name, 'running')
  const step = (await stepsOfRun(admin, run)).find(({ attributes }) => attributes.name === name)
  return step.relationships.workflow_runs.data[0].id
}

const endOf = async (run: string): Promise<string> => (await runEnded(admin, run)).attributes.status_code

test('a version that has an approval in the place of a wait that was continued asks for it, also within a stage', async () => {
  const steps = (wait: string) => list(`{ name: before, children: [${plain('one')}, ${wait}] }`, bad('last'))
  await published(admin, 'guarded', steps('{ type: wait, name: ask }'))
  const id = await began(admin, 'guarded')
  await goOn(id, 'ask')
  assert.equal(await endOf(id), 'error')
  const source_yaml = steps('{ type: wait, name: ask, requires_approval_from: { user_names: [eve] } }')
  assert.equal((await admin.patch('/api/projects/shop/workflows/guarded', { source_yaml, draft: false })).status, 200)
  const again = await retried(id, { version: 2 })
  const ask = await runStepWhen(admin, again, 'ask', 'waiting_for_approval')
  assert.deepEqual(await runStatuses(admin, again), [
    ['before', 'running'],
    ['before/one', 'success'],
    ['before/ask', 'waiting_for_approval'],
    ['last', 'pending'],
  ])
  assert.equal((await eve.post(`/api/workflow_steps/${ask.id}/approve`, {})).status, 200)
  assert.equal(await endOf(again), 'error')
  assert.equal(await changeOfStep(admin, again, 'one'), await changeOfStep(admin, id, 'one'))
})

test('a retry tries again the run that a step had made: what succeeded there is kept, and a wait asks again', async () => {
  const ask = '{ type: wait, name: ask, reset_on_retry: true }'
  await published(admin, 'inner', list(plain('one'), ask, '{ type: wait, name: once }', bad('two')))
  await published(admin, 'outer', list(plain('first'), '{ type: workflow, target: inner, name: nested }'))
  const id = await began(admin, 'outer')
  const inner = await runOfStep(id, 'nested')
  await goOn(inner, 'ask')
  await goOn(inner, 'once')
  assert.equal(await endOf(id), 'error')
  const again = await retried(id)
  const tried = await runOfStep(again, 'nested')
  await runStepWhen(admin, tried, 'ask', 'waiting')
  assert.deepEqual(await runStatuses(admin, tried), [
    ['one', 'success'],
    ['ask', 'waiting'],
    ['once', 'success'],
    ['two', 'pending'],
  ])
  const shown = (await admin.get(`/api/workflow_runs/${tried}`)).body.data
  assert.equal(shown.relationships.retry_of.data.id, inner)
  await goOn(tried, 'ask')
  assert.equal(await endOf(again), 'error')
  const change = (await admin.get(`/api/changes/${await changeOfStep(admin, tried, 'two')}`)).body.data
  assert.equal(change.relationships.retry_of.data.id, await changeOfStep(admin, inner, 'two'))
})

test('a change is made anew where all that there was to try again has been purged', async () => {
  await published(admin, 'purged', list(bad('one')))
  const id = await began(admin, 'purged')
  assert.equal(await endOf(id), 'error')
  const again = await retried(id)
  assert.equal(await endOf(again), 'error')
  for (const run of [again, id]) {
    const change = await changeOfStep(admin, run, 'one')
    assert.equal((await admin.delete(`/api/changes/${change}?purge=true`)).status, 204)
  }
  const last = await retried(again)
  assert.equal(await endOf(last), 'error')
  const change = (await admin.get(`/api/changes/${await changeOfStep(admin, last, 'one')}`)).body.data
  assert.deepEqual([change.attributes.status_code, change.relationships.retry_of.data], ['error', null])
})

test('a retry waits for the start time of what it tries again, or for another one that it is given', async () => {
  const { relationships } = (await admin.get('/api/projects/shop')).body.data
  const when = { when: '2020-01-01T00:00:00Z' }
  assert.equal((await admin.patch(relationships.properties.links.related, { data: when })).status, 200)
  const later = 'start_time: "{{when}}"'
  await published(admin, 'timed-inner', list(plain('one')))
  const nested = `{ type: workflow, target: timed-inner, name: nested, ${later} }`
  const both = `{ run_as: parallel, children: [${plain('one').replace('}', `, ${later} }`)}, ${nested}] }`
  await published(admin, 'timed', list(both))
  const waits = async (run: string, times: string) => {
    const change = await changeOfStep(admin, run, 'one')
    for (const path of [`changes/${change}`, `workflow_runs/${await runOfStep(run, 'nested')}`]) {
      const { attributes } = (await admin.get(`/api/${path}/waiting_reason`)).body.data
      assert.deepEqual([attributes.kind, attributes.estimated_until?.slice(0, 10)], ['start_time', times], path)
    }
    assert.equal((await admin.delete(`/api/workflow_runs/${run}`)).status, 204)
    assert.equal(await endOf(run), 'cancelled')
  }
  const id = await began(admin, 'timed', { property_overrides: { when: '2999-01-01T00:00:00Z' } })
  await waits(id, '2999-01-01')
  const again = await retried(id)
  await waits(again, '2999-01-01')
  const other = await retried(again, { property_overrides: { when: '2998-01-01T00:00:00Z' } })
  await waits(other, '2998-01-01')
  assert.equal(await endOf(await retried(other, { property_overrides: when })), 'success')
})

test('a pause, a resume and a cancel of a retry go down to what the run makes that its step has made', async () => {
  await published(admin, 'deep', list(`{ target: ${front}, action: asks, name: asks }`))
  await published(admin, 'high', list('{ type: workflow, target: deep, name: nested }'))
  const id = await began(admin, 'high')
  await changeOfStep(admin, await runOfStep(id, 'nested'), 'asks')
  assert.equal((await admin.delete(`/api/workflow_runs/${id}`)).status, 204)
  assert.equal(await endOf(id), 'cancelled')

  const again = await retried(id)
  const nested = await runOfStep(again, 'nested')
  const change = await changeOfStep(admin, nested, 'asks')
  await changeWhen(admin, change, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  const isAs =
    (state: string) =>
    ({ attributes }: Shown) =>
      attributes.pause_state === state
  for (const [deed, state] of [
    ['pause', 'paused'],
    ['resume', 'none'],
  ] as const) {
    assert.equal((await admin.post(`/api/workflow_runs/${again}/${deed}`, {})).status, 200)
    await changeWhen(admin, change, `is ${state}`, isAs(state))
    for (const run of [nested, again]) await runWhen(admin, run, `is ${state}`, isAs(state))
  }
  assert.equal((await admin.delete(`/api/workflow_runs/${again}`)).status, 204)
  assert.equal(await endOf(again), 'cancelled')
  assert.equal(await endOf(nested), 'cancelled')
  const { attributes } = (await admin.get(`/api/changes/${change}`)).body.data
  assert.deepEqual([attributes.status_code, attributes.cancelled_by], ['cancelled', 'admin'])
})
