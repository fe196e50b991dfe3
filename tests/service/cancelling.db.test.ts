import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  ended,
  eventsOf,
  newAsset,
  ran,
  type Shown,
  shop,
  statuses,
  written,
} from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { processTable } from '../support/process-table.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { assertEventsTold } from '../support/told-events.ts'

const actions = `
actions:
  gated: { description: x, steps: [first, hold, next] }
  first: { run: echo first }
  hold:
    env: { GATES: "{{ gates }}", NAME: "{{ name }}" }
    run: |
      touch "$GATES/$NAME-began"
      until [ -e "$GATES/$NAME" ]; do sleep 0.02; done
      echo through
  next: { run: echo next }
  stubborn:
    description: Neither a signal nor leaving its session saves it
    env: { GATES: "{{ gates }}" }
    run: |
      trap '' TERM
      setsid sleep 100117 </dev/null >/dev/null 2>&1 &
      touch "$GATES/stubborn-began"
      echo on the way
      sleep 100118
      sleep 100119
`

let service: TestService
let admin: Client
let asset: string
let gates: Gates
let stubborn: string
/** The record while it was being stopped. */
let stopping: Shown

before(async () => {
  service = await startTestService({
    users: { reader: [{ path: '/projects/shop', read: true }], stranger: [] },
  })
  admin = service.as('admin')
  gates = await newGates()
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
  // A process that ignores the signal is given ten seconds, which pass while the others are tested.
  const lasting = await newAsset(admin, 'stubborn')
  stubborn = await start('stubborn', {}, lasting)
  await gates.reached('stubborn-began')
  assert.equal((await admin.delete(`/api/changes/${stubborn}`)).status, 204)
  stopping = (await admin.get(`/api/changes/${stubborn}`)).body.data
})
after(async () => {
  await service.stop()
  await gates.remove()
})

const start = async (action: string, more: object = {}, on = asset): Promise<string> =>
  (await created(admin.post(`${on}/changes`, { action, property_overrides: { gates: gates.folder }, ...more }))).id

const gated = (name: string) => start('gated', { property_overrides: { gates: gates.folder, name } })

test('a change that has not begun is cancelled at once, and nothing of it ever runs', async () => {
  const id = await start('next', { run_at: '2099-01-01T00:00:00Z' })
  await changeWhen(admin, id, 'is pending', ({ attributes }) => attributes.status_code === 'pending')
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  const { attributes, meta } = (await admin.get(`/api/changes/${id}`)).body.data
  assert.deepEqual(
    [attributes.status_code, attributes.cancelled_by, attributes.started_at],
    ['cancelled', 'admin', null],
  )
  assert.deepEqual(meta.can, ['retry'])
  assert.deepEqual(await statuses(admin, id), [['next', 'cancelled']])
  const cancel = (await eventsOf(admin, id)).filter(each => each.attributes.type === 'api:changes:cancel')
  assert.deepEqual(
    cancel.map(each => each.attributes.username),
    ['admin'],
  )
})

test('a change that runs is stopped: what has ended stays as it is, the rest is cancelled', async () => {
  const id = await gated('never-opened')
  await gates.reached('never-opened-began')
  const running = (await admin.get(`/api/changes/${id}`)).body.data
  assert.deepEqual([running.attributes.status_code, running.meta.can], ['running', ['cancel', 'pause']])
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'cancelled')
  assert.deepEqual(await statuses(admin, id), [
    ['gated', 'cancelled'],
    ['gated/first', 'success'],
    ['gated/hold', 'cancelled'],
    ['gated/next', 'cancelled'],
  ])
  assert.deepEqual(await written(admin, `/api/changes/${id}`), ['first'])
})

test('a change that has ended cannot be cancelled: 409', async () => {
  const { id } = await ran(admin, asset, 'next')
  const answer = await admin.delete(`/api/changes/${id}`)
  assert.deepEqual([answer.status, answer.body.errors[0].code], [409, 'wrong-state'])
})

test('cancelling needs execute on the action, and to whoever cannot read it there is no such change', async () => {
  const id = await gated('somebody-elses')
  const refused = await service.as('reader').delete(`/api/changes/${id}`)
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.errors[0].meta, {
    right: 'execute',
    path: '/projects/shop/environments/live/assets/front/actions/gated',
  })
  assert.deepEqual((await service.as('reader').get(`/api/changes/${id}`)).body.data.meta.can, [])
  assert.equal((await service.as('stranger').delete(`/api/changes/${id}`)).status, 404)
  await gates.open('somebody-elses')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
})

test('a cancel asked for twice is one cancel, and one event', async () => {
  const id = await gated('twice')
  await gates.reached('twice-began')
  const answers = await Promise.all([1, 2, 3].map(() => admin.delete(`/api/changes/${id}`)))
  // If it is over before the last of them is read, that one gets `final`.
  const refused = answers.filter(({ status }) => status !== 204)
  assert.ok(refused.length < answers.length)
  for (const { status } of refused) assert.equal(status, 409)
  await ended(admin, id)
  const cancels = (await eventsOf(admin, id)).filter(each => each.attributes.type === 'api:changes:cancel')
  assert.equal(cancels.length, 1)
})

test('a step that ignores the signal is killed, and with it what has left its session; the change is cancelled by then', async () => {
  const { status_code, cancelled_by, finished_at } = stopping.attributes
  assert.deepEqual([status_code, cancelled_by, finished_at], ['running', 'admin', null])
  const change = await ended(admin, stubborn)
  assert.equal(change.attributes.status_code, 'cancelled')
  assert.deepEqual(await statuses(admin, stubborn), [['stubborn', 'cancelled']])
  assert.doesNotMatch(await processTable(), /sleep.10011[789]/)
  assert.deepEqual(await written(admin, `/api/changes/${stubborn}`), ['on the way'])
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:changes:cancel api:changes:create api:changes:start api:steps:cancel api:steps:start api:steps:success`,
  ))
