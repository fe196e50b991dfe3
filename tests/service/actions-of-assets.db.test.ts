import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import {
  created,
  fetchedVersion,
  linesOf,
  newAsset,
  often,
  ran,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  taskWhen,
} from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Programs that declare different actions for different assets, depending on their properties. */

const program = (title: string) => `
import { action, properties } from '@sluice/actions'
const { hosts = [], wrong } = properties()
if (wrong) throw new Error('there is no host ' + wrong)
for (const host of hosts) action('${title} ' + host, { description: 'On it' }, step => step.log.info('${title} on', host))
action('status', { description: 'How it is' }, () => {})
`

let service: TestService
let admin: Client
let made: Shop
let other: string

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, { 'web/actions.ts': program('restart') })
  other = await newAsset(admin, 'other')
  await Promise.all([made.asset, other].map(settled))
})
after(() => service.stop())

const versions = '/api/projects/shop/templates/web/versions'
const tasksOf = async (asset: string): Promise<Shown[]> =>
  (await admin.get(`${asset}/node_background_tasks?all_versions=true`)).body.data
const settled = (asset: string) =>
  until(
    `no task of ${asset} is open`,
    () => admin.get(asset),
    ({ body }) => !body.data.attributes.task_active,
    often,
  )
const actionsOf = async (asset: string): Promise<string[]> =>
  (await admin.get(asset)).body.data.attributes.actions.map(({ action }: { action: string }) => action)
const failing = (types: readonly string[]) =>
  types.filter(type => /^(?:api:action_refresh:warn|error:generate_actions_request:generate)$/.test(type))

async function states(asset: string, data: object): Promise<void> {
  const { body } = await admin.get(asset)
  const written = await admin.patch(`/api/properties/${body.data.relationships.properties.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
}

async function refreshed(asset: string): Promise<Shown> {
  const { id } = await created(admin.post(`${asset}/node_background_tasks`))
  return taskWhen(admin, `${asset}/node_background_tasks/${id}`, 'success', 'error')
}

async function eventsOf(asset: string, since: string): Promise<{ type: string; trigger?: string; error?: string }[]> {
  const path = asset.replace('/api', '')
  const { body } = await admin.get(`/api/events?limit=200&filter[node_path_eq]=${path}&filter[created_at_gt]=${since}`)
  return body.data.map(({ attributes }: Shown) => attributes)
}

const newestEvent = async (): Promise<string> =>
  (await admin.get('/api/events?limit=1')).body.data[0].attributes.created_at

/** Re-points the asset's version, waits until nothing is in progress for it, and returns the time before. */
async function moved(asset: string, version: string): Promise<string> {
  const since = await newestEvent()
  const answer = await admin.patch(asset, { template_version: version })
  assert.equal(answer.status, 200, answer.text)
  await settled(asset)
  return since
}

test('an asset has the actions that its own properties make, and can run them; another has its own', async () => {
  assert.deepEqual(await actionsOf(made.asset), ['status'])
  await states(made.asset, { hosts: ['a', 'b'] })
  const task = await refreshed(made.asset)
  assert.equal(task.attributes.status_code, 'success', task.attributes.error_message)
  assert.deepEqual(await actionsOf(made.asset), ['restart a', 'restart b', 'status'])
  assert.deepEqual(await actionsOf(other), ['status'])
  const change = await ran(admin, made.asset, 'restart b')
  assert.equal(change.attributes.status_code, 'success', change.attributes.error_message)
  const lines = await linesOf(admin, `/api/changes/${change.id}`)
  assert.ok(lines.some(({ attributes }) => attributes.message === 'restart on b'))
  const refused = await admin.post(`${other}/changes`, { action: 'restart b' })
  assert.equal(refused.status, 422, refused.text)
})

test('assets with the same properties are derived once: the second has what the first was given', async () => {
  const { commit_sha } = (await readyVersion(admin, `${versions}/1.0`, 'main')).attributes
  const attempts = async () =>
    (await service.database.one(sql<{ n: number }>`
      select count(*)::int as n from node_background_tasks where attempt > 0`))!.n
  await states(other, { hosts: ['c'] })
  await refreshed(other)
  const before = await attempts()
  const third = await newAsset(admin, 'third')
  await settled(third)
  assert.deepEqual([await attempts(), await actionsOf(third)], [before, ['status']])
  const stored = await service.database.rows(sql<{ input: string }>`
    select input_sha as input from action_catalogues where commit_sha = ${commit_sha} and folder = 'web'`)
  assert.deepEqual(stored.filter(({ input }) => input !== '').length, 3, 'of none, of a and b, of c')
  // Guesses of the properties cannot be confirmed by anything stored in clear.
  const { data } = (await admin.get(`${other}/converged_properties`)).body.data.attributes
  const guessed = createHash('sha256').update(JSON.stringify(data)).digest('hex')
  assert.ok(!stored.some(({ input }) => input === guessed))
})

test('another version of its template derives the actions of the asset anew, and says why', async () => {
  made.repository.commit({ 'web/actions.ts': program('stop') }, { branch: 'two' })
  await readyVersion(admin, `${versions}/2.0`, 'two')
  const since = await moved(made.asset, '2.0')
  assert.deepEqual(await actionsOf(made.asset), ['stop a', 'stop b', 'status'])
  const asked = (await eventsOf(made.asset, since)).filter(({ type }) => type === 'api:generate_actions_request:create')
  assert.deepEqual(
    asked.map(({ trigger }) => trigger),
    ['template_version_change'],
  )
  const [newest] = await tasksOf(made.asset)
  assert.deepEqual(
    [newest!.attributes.task_type, newest!.attributes.status_code],
    ['GenerateActionsRequest', 'success'],
  )
})

test('when its actions cannot be derived the asset keeps those that it has, and two events say so', async () => {
  await states(made.asset, { hosts: ['a', 'b'], wrong: 'z' })
  const since = await moved(made.asset, '1.0')
  assert.deepEqual(await actionsOf(made.asset), ['stop a', 'stop b', 'status'])
  const [newest] = await tasksOf(made.asset)
  assert.equal(newest!.attributes.status_code, 'error')
  assert.match(newest!.attributes.error_message, /^web\/actions\.ts:4:\d+: there is no host z$/)
  const events = await eventsOf(made.asset, since)
  assert.deepEqual(failing(events.map(({ type }) => type)).toSorted(), [
    'api:action_refresh:warn',
    'error:generate_actions_request:generate',
  ])
  assert.ok(events.some(({ error }) => error === newest!.attributes.error_message))
  await states(made.asset, { hosts: ['a'] })
  assert.equal((await refreshed(made.asset)).attributes.status_code, 'success')
  assert.deepEqual(await actionsOf(made.asset), ['restart a', 'status'])
})

test('a version that follows its branch takes the assets along, each with its own actions', async () => {
  const float = (attributes: object) =>
    admin.send('PUT', `${versions}/float`, {
      raw: JSON.stringify({ data: { attributes, meta: { fetch_revision: true, ignore_in_use: true } } }),
      headers: { 'content-type': 'application/vnd.api+json' },
    })
  made.repository.commit({ 'web/actions.ts': program('start') }, { branch: 'moving' })
  const first = await float({ git_rev: 'moving', float_git_rev: true })
  assert.equal(first.status, 201, first.text)
  await fetchedVersion(admin, `${versions}/float`, 'moving')
  for (const asset of [made.asset, other]) await moved(asset, 'float')
  assert.deepEqual(
    [await actionsOf(made.asset), await actionsOf(other)],
    [
      ['start a', 'status'],
      ['start c', 'status'],
    ],
  )
  made.repository.commit({ 'web/actions.ts': program('drain') }, { branch: 'moving' })
  const since = await newestEvent()
  assert.equal((await float({})).status, 200)
  for (const [asset, action] of [
    [made.asset, 'drain a'],
    [other, 'drain c'],
  ] as const) {
    await until(
      `${asset} can ${action}`,
      () => actionsOf(asset),
      actions => actions.includes(action),
      often,
    )
    const asked = (await eventsOf(asset, since)).filter(({ type }) => type === 'api:generate_actions_request:create')
    assert.deepEqual(
      asked.map(({ trigger }) => trigger),
      ['float'],
    )
  }
})
