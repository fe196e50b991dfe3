import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, newAsset, often, type Shop, type Shown, shop, taskWhen } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Background tasks of assets over HTTP: requested, watched, held, cancelled and failing. */

const gates = mkdtempSync(join(tmpdir(), 'sluice-gates-'))
chmodSync(gates, 0o777)

/** A program that reports its start, continues when there is no gate of its name, and throws on request. */
const program = `
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { action } from '@sluice/actions'
console.log('asked')
if (existsSync('${gates}/shut')) appendFileSync('${gates}/began', 'x')
while (existsSync('${gates}/shut')) await pause(10)
if (existsSync('${gates}/fail')) throw new Error('the price list is away')
action(existsSync('${gates}/more') ? 'sell more' : 'sell', { description: 'Sell it' }, () => {})
`

let service: TestService
let admin: Client
let made: Shop
let tasks: string

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.ts': program })
  tasks = `${made.asset}/node_background_tasks`
})
after(async () => {
  await service.stop()
  rmSync(gates, { recursive: true })
})

const put = (name: string) => writeFileSync(join(gates, name), '')
const take = (name: string) => rmSync(join(gates, name))
const begun = () => until('the program has been asked', async () => existsSync(join(gates, 'began')), Boolean, often)

const refresh = (client = admin) => created(client.post(tasks))
const ended = (task: Shown) => taskWhen(admin, `${tasks}/${task.id}`, 'success', 'error', 'cancelled')
const actionsOf = async (path: string): Promise<string[]> =>
  (await admin.get(path)).body.data.attributes.actions.map(({ action }: { action: string }) => action)
const linesOf = async (task: Shown, client = admin) =>
  (await client.get(`/api/node_background_task_log_lines?node_background_task_id=${task.id}`)).body.data as Shown[]

/** Types of the events about a task or its node since a moment, oldest first. */
async function eventsSince(at: string): Promise<[string, Record<string, unknown>][]> {
  const { body } = await admin.get(`/api/events?limit=100&filter[created_at_gteq]=${at}`)
  return body.data.map(({ attributes }: Shown) => [attributes.type, attributes])
}
const typesSince = async (at: string) => (await eventsSince(at)).map(([type]) => type)

async function maintenance(mode: string): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, {
    data: { maintenance_mode: mode },
  })
  assert.equal(answer.status, 200, answer.text)
}

const noSlotIsTaken = async () =>
  assert.deepEqual(await service.database.rows(sql`select from slot_claims where holder_kind = 'task'`), [])

test('a refresh asks the program again, and the asset has the actions that it says now', async () => {
  assert.deepEqual(await actionsOf(made.asset), ['sell'])
  put('more')
  const answer = await admin.post(tasks)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.get('location'), `${tasks}/${answer.body.data.id}`)
  const asked: Shown = answer.body.data
  const { attributes, relationships, links } = answer.body.data
  assert.deepEqual(
    [attributes.task_type, attributes.status_code, attributes.actions, attributes.created_by],
    ['GenerateActionsRequest', 'initializing', [], 'admin'],
  )
  const history = (await admin.get(`${made.asset}/version_history`)).body.data[0]
  assert.equal(relationships.template_version_history.data.id, history.id)
  const task = await ended(asked)
  take('more')
  assert.deepEqual([task.attributes.status_code, task.attributes.error_message], ['success', null])
  assert.deepEqual(await actionsOf(made.asset), ['sell more'])
  assert.deepEqual(
    task.attributes.actions.map(({ action }: { action: string }) => action),
    ['sell more'],
  )
  const lines = (await admin.get(links.log_lines)).body.data as Shown[]
  assert.deepEqual(
    lines.map(({ attributes: line }) => [line.message, line.category, line.node_background_task_id]),
    [
      ['asked', 'stdout', task.id],
      ['It has 1 action.', 'runner', task.id],
    ],
  )
  assert.equal(lines[0]!.attributes.template_version_history_id, history.id)
  const events = await eventsSince(attributes.created_at)
  const create = events.find(([type]) => type === 'api:generate_actions_request:create')
  assert.equal(create?.[1]['trigger'], 'request')
  await noSlotIsTaken()
})

test('a second refresh while one is open is refused, with the way to the first; two at once make one', async () => {
  put('shut')
  const answers = await Promise.all([admin.post(tasks), admin.post(tasks)])
  const [first, refused] = answers.toSorted((a, b) => a.status - b.status)
  assert.deepEqual([first?.status, refused?.status], [201, 409], refused?.text)
  const link = refused!.body.errors[0].meta.links.node_background_task
  assert.equal((await admin.get(link)).body.data.id, first!.body.data.id)
  await begun()
  const again = await admin.post(tasks)
  assert.equal(again.status, 409)
  assert.match(again.body.errors[0].detail, /is running already/)
  const other = await newAsset(admin, 'other')
  const beside = await created(admin.post(`${other}/node_background_tasks`))
  take('shut')
  await taskWhen(admin, `${other}/node_background_tasks/${beside.id}`, 'success')
  assert.equal((await ended(first!.body.data)).attributes.status_code, 'success')
  take('began')
})

test('a refresh that runs is cancelled: its program is stopped, and the asset keeps its actions', async () => {
  put('shut')
  const task = await refresh()
  await begun()
  // Maintenance does not hold running tasks, so it counts.
  await maintenance('enabled')
  const { active_counts, blockers } = (await admin.get('/api/admin/drain_status')).body.data.attributes
  assert.deepEqual([active_counts.background_tasks, blockers[0].id, blockers[0].status_code], [1, task.id, 'running'])
  await maintenance('disabled')
  const path = `${tasks}/${task.id}`
  for (const _ of ['once', 'twice']) assert.equal((await admin.delete(path)).status, 204)
  const { attributes } = await ended(task)
  assert.deepEqual([attributes.status_code, attributes.actions], ['cancelled', []])
  const refused = await admin.delete(path)
  assert.equal(refused.status, 409)
  assert.match(refused.body.errors[0].detail, /has ended \(cancelled\)/)
  take('shut')
  take('began')
  assert.deepEqual(await actionsOf(made.asset), ['sell'])
  assert.equal((await linesOf(task)).at(-1)?.attributes.message, 'Cancelled by admin.')
  const types = await typesSince(task.attributes.created_at)
  for (const type of ['api:generate_actions_request:cancel', 'info:template_version:refresh_cancelled'])
    assert.equal(types.filter(each => each === type).length, 1, `${type} in ${types}`)
  await noSlotIsTaken()
})

test('a program that throws fails the refresh with that, and the asset keeps its actions', async () => {
  put('fail')
  const task = await ended(await refresh())
  take('fail')
  assert.equal(task.attributes.status_code, 'error')
  assert.match(task.attributes.error_message, /^web\/actions\.ts:\d+:\d+: the price list is away$/)
  assert.deepEqual(await actionsOf(made.asset), ['sell'])
  assert.match((await linesOf(task)).at(-1)!.attributes.message, /the price list is away/)
  const events = await eventsSince(task.attributes.created_at)
  const failed = events.find(([type]) => type === 'error:generate_actions_request:generate')
  assert.equal(failed?.[1]['error'], task.attributes.error_message)
  await noSlotIsTaken()
})

test('maintenance holds a refresh, says so when asked, and lets one that waits be cancelled at once', async () => {
  await maintenance('enabled')
  const task = await refresh()
  const reason = `/api/node_background_tasks/${task.id}/waiting_reason`
  const { data } = (await admin.get(reason)).body
  assert.deepEqual([data.type, data.attributes.kind, data.attributes.by], ['waiting_reason', 'maintenance', 'admin'])
  assert.equal((await admin.delete(`${tasks}/${task.id}`)).status, 204)
  assert.equal((await admin.get(`${tasks}/${task.id}`)).body.data.attributes.status_code, 'cancelled')
  const held = await refresh()
  await maintenance('disabled')
  assert.equal((await ended(held)).attributes.status_code, 'success')
  assert.equal((await admin.get(`/api/node_background_tasks/${held.id}/waiting_reason`)).body.data, null)
})

test('a refresh needs execute on the asset, and its log and reason are for who may read it', async () => {
  const path = '/projects/shop/environments/live/assets/front'
  await service.addUser('reader', [{ path, read: true }])
  await service.addUser('stranger', [{ path: '/projects/other', read: true, execute: true }])
  await service.addUser('runner', [{ path, execute: true }])
  const [reader, stranger, runs] = ['reader', 'stranger', 'runner'].map(name => service.as(name)) as [
    Client,
    Client,
    Client,
  ]
  assert.equal((await reader.post(tasks)).status, 403)
  assert.equal((await stranger.post(tasks)).status, 404)
  const task = await refresh(runs)
  await ended(task)
  assert.equal((await reader.delete(`${tasks}/${task.id}`)).status, 403)
  assert.ok((await linesOf(task, reader)).length > 0)
  for (const hidden of [
    `/api/node_background_task_log_lines?node_background_task_id=${task.id}`,
    `/api/node_background_tasks/${task.id}/waiting_reason`,
    `${tasks}/${task.id}`,
  ])
    assert.equal((await stranger.get(hidden)).status, 404, hidden)
  assert.equal((await admin.get('/api/node_background_task_log_lines')).status, 400)
})

const versions = '/api/projects/shop/templates/web/versions'
const putVersion = (name: string, attributes: object, meta: object) =>
  admin.send('PUT', `${versions}/${name}`, {
    raw: JSON.stringify({ data: { attributes, meta } }),
    headers: { 'content-type': 'application/vnd.api+json' },
  })
const versionNow = async (name: string) => (await admin.get(`${versions}/${name}`)).body.data.attributes

test('the refresh of a version is cancelled: one that was ready stays at its commit, one that never was is broken', async () => {
  put('shut')
  const commit = made.repository.commit({ 'web/actions.ts': `${program}// newer\n` }, { branch: 'newer' })
  const before = (await versionNow('1.0')).commit_sha
  const moved = await putVersion('1.0', { git_rev: 'newer' }, { ignore_in_use: true })
  assert.equal(moved.status, 200, moved.text)
  await begun()
  const cancelled = await admin.post(`${versions}/1.0/cancel_refresh`)
  assert.equal(cancelled.status, 200, cancelled.text)
  const { state, commit_sha, git_rev } = cancelled.body.data.attributes
  assert.deepEqual([state, commit_sha, git_rev], ['ready', before, 'newer'])
  assert.notEqual(commit, before)
  assert.equal((await admin.post(`${versions}/1.0/cancel_refresh`)).status, 409)
  take('began')
  await until(
    'the runner has stopped',
    () => service.database.rows(sql`select from slot_claims`),
    slots => slots.length === 0,
    often,
  )
  await admin.put(`${versions}/2.0`, { git_rev: 'newer' })
  await begun()
  const never = (await admin.post(`${versions}/2.0/cancel_refresh`)).body.data.attributes
  assert.deepEqual([never.state, never.initialization_error], ['broken', 'The refresh was cancelled by admin.'])
  take('shut')
  take('began')
  const again = await putVersion('2.0', {}, { fetch_revision: true })
  assert.equal(again.status, 200, again.text)
  await until(
    '2.0 is ready',
    () => versionNow('2.0'),
    ({ state }) => state === 'ready',
    often,
  )
  const types = await typesSince(moved.body.data.attributes.updated_at)
  for (const [type, times] of [
    ['info:template_version:refresh_cancelled', 2],
    ['error:template_version:broken', 1],
  ] as const)
    assert.equal(types.filter(each => each === type).length, times, `${type} in ${types}`)
})
