import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer, Client } from '../support/api.ts'
import { changeWhen, created, often, ran, type Shown, shop, taskWhen } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'
import { began, published, runEnded } from '../support/workflows.ts'

/** Keys are rotated while several processes work, one of them is killed, and documents are written all the time. */

const adr = join(import.meta.dirname, '../../docs/adr/0012-encrypted-documents-are-opaque.md')
const actions = `
actions:
  run:
    description: Runs
    run: echo done
  ask:
    description: Asks
    steps: [{ input: Which release?, arguments: [{ name: version, default_value: newest }] }]
`
const workflow = 'steps: [{ name: front, target: environments/live/assets/front, action: run }]'
/** Columns without values here: nothing writes them yet, or written values are gone within seconds. */
const empty = [
  'steps.outputs',
  'vault_removals.connection',
  'secrets_to_mask.value',
  'texts_to_mask.texts',
  'texts_to_mask.masked',
]
const rotations = '/api/admin/key_rotations'
const often10 = { ...often, seconds: 120 }

let service: TestService
let admin: Client
let asset: string
let failpoints: string
const workers: WorkerProcess[] = []

before(async () => {
  failpoints = await mkdtemp(join(tmpdir(), 'sluice-failpoints-'))
  // Runners use that folder too, as a user of their own.
  await chmod(failpoints, 0o777)
  service = await startTestService({ config: { role: 'api' }, users: { anna: [] } })
  admin = service.as('admin')
  workers.push(await startWorkerProcess(service, { SLUICE_TEST_FAILPOINTS: failpoints }))
  ;({ asset } = await shop(service, {
    'web/actions.yaml': actions,
    'web/defaults.yaml': 'from: the repository\n',
    'web/model.json.erb': '{ "actions": [], "kept": "<%= properties.plain %>" }',
  }))
})
after(async () => {
  const killed = workers.map(worker => worker.hasEnded())
  const left = await Promise.all(workers.map(worker => worker.stop()))
  await service.stop()
  await rm(failpoints, { recursive: true, force: true })
  // Runners of the killed process wait for a minute for another connection.
  assert.deepEqual(left.filter((_, at) => !killed[at]).flat(), [])
})

const propertiesOf = async (node: string): Promise<string> => {
  const { relationships } = (await admin.get(node)).body.data
  return `/api/properties/${relationships.properties.data.id}`
}
const store = (key: string, value: string) =>
  admin.post('/api/secrets/encrypt', { node_path: '/projects/shop', path: 'database', key, value })
const secretOf = async (key: string) => {
  const reference = `secret://projects/shop/database/${key}`
  const answer = await again(() => admin.post('/api/secrets/resolve', { node_path: '/projects/shop', reference }))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.attributes.value as string
}

/** The encrypted columns as listed in the decision. */
async function opaqueColumns(): Promise<string[]> {
  const rows = [...(await readFile(adr, 'utf8')).matchAll(/^\| ([a-z_, ]+) \| ([a-z_, ]+) \|$/gm)].slice(1)
  return rows.flatMap(([, tables = '', columns = '']) =>
    tables.split(', ').flatMap(table => columns.split(', ').map(column => `${table}.${column}`)),
  )
}

/** Number of values of a column by key. */
async function keysOf(name: string): Promise<Record<number, number>> {
  const [table = '', column = ''] = name.split('.')
  const rows = await service.database.rows(sql<{ key: number; n: number }>`
    select ('x' || encode(substring(${sql.ref(column)} from 2 for 4), 'hex'))::bit(32)::int as key, count(*)::int as n
      from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1`)
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
}

const rotationOf = async (id: string) => (await admin.get(`${rotations}/${id}`)).body.data as Shown
const ended = (id: string) =>
  until(
    'the keys are replaced',
    () => rotationOf(id),
    ({ attributes }) => attributes.status === 'success',
    often10,
  )

test('everything that is sealed is sealed anew while it is written, though the process that does it is killed', async () => {
  await fill()
  const opaque = (await opaqueColumns()).filter(name => !empty.includes(name))
  for (const name of opaque) assert.ok(Object.keys(await keysOf(name)).length > 0, `${name} holds something`)
  for (const name of empty) assert.deepEqual(await keysOf(name), {}, name)

  // The process that does the work is killed after its second stretch.
  await writeFile(join(failpoints, 'key-resealed'), 'kill 2')
  const [doomed] = workers
  const writing = writeOn()
  const { id } = await created(admin.post(rotations, {}))
  const other = await admin.post(rotations, {})
  assert.equal(other.status, 409, other.text)
  await until('it has died', async () => doomed!.hasEnded(), Boolean, often10)
  assert.equal((await rotationOf(id)).attributes.status, 'resealing')
  workers.push(await startWorkerProcess(service))
  const { attributes } = await ended(id)
  assert.ok(attributes.resealed > 120, String(attributes.resealed))
  assert.equal(attributes.waiting_for, null)
  const written = await writing.stop()
  assert.ok(written > 5, `${written} rounds were written meanwhile`)

  for (const name of opaque) assert.deepEqual(Object.keys(await keysOf(name)), ['2'], name)
  await everythingOpens()
  const keys = await service.database.rows(sql<object>`
    select id, in_use_at is not null as used, retired_at is not null as retired from data_keys order by id`)
  assert.deepEqual(keys, [
    { id: 1, used: true, retired: true },
    { id: 2, used: true, retired: false },
  ])
  const events = await admin.get('/api/events?filter[type_cont]=key_rotation&limit=10')
  const types = events.body.data.map((each: Shown) => each.attributes.type)
  assert.deepEqual(types.toSorted(), ['api:key_rotations:create', 'info:key_rotation:success'])
})

test('the root key is replaced under all processes once each has the next one, and the old one opens nothing', async () => {
  const refused = await admin.post(rotations, { root_key: true })
  assert.equal(refused.status, 409)
  assert.match(refused.body.errors[0].detail, /root\.key\.next beside root\.key/)
  const next = `${randomBytes(32).toString('base64')}\n`
  const give = (folder: string) => writeFile(join(folder, 'root.key.next'), next, { mode: 0o600 })
  const alive = workers.filter(worker => !worker.hasEnded())
  const folders = [service.dataDir, ...alive.map(({ dataDir }) => dataDir)]
  const [here = '', there = ''] = folders
  await give(here)
  // A process checks it with each heartbeat.
  const asked = () => admin.post(rotations, { root_key: true })
  const { body } = await until('it may begin', asked, ({ status }) => status === 201, often10)
  const waiting = await until(
    'it waits for the last process',
    () => rotationOf(body.data.id),
    ({ attributes }) => /which has not been given the same next root key$/.test(attributes.waiting_for ?? ''),
    often10,
  )
  assert.equal(waiting.attributes.status, 'announced')
  await give(there)
  assert.equal((await ended(body.data.id)).attributes.root_key, true)
  for (const folder of folders) {
    const adopted = async () => (await readFile(join(folder, 'root.key'), 'utf8')) === next
    await until(`${folder} has it`, adopted, Boolean, often10)
  }
  await everythingOpens()
  await service.halt({ keepRunners: false })
  await service.startAgain()
  await everythingOpens()
})

test('who may not administer keys sees none of it', async () => {
  const anna = service.as('anna')
  assert.equal((await anna.post(rotations, {})).status, 403)
  assert.equal((await anna.get(rotations)).status, 403)
})

/** A value in every encrypted column, and enough of some for many stretches. */
async function fill(): Promise<void> {
  await store('password', 'the first value')
  const remote = await service.repository({ 'a/b': 'c' })
  const credentials = { user: 'robot', password: 'of a remote' }
  await created(
    admin.post('/api/projects/shop/git_remotes', {
      name: 'other',
      url: remote.url.replace('file://', 'http://127.0.0.1:1'),
      ...credentials,
    }),
  )
  const properties = await propertiesOf(asset)
  assert.equal((await admin.patch(properties, { data: { plain: 'kept' } })).status, 200)
  const project = await propertiesOf('/api/projects/shop')
  for (let n = 1; n <= 120; n++) assert.equal((await admin.patch(project, { data: { n } })).status, 200)
  const bookmark = { description: 'kept under its key' }
  await created(admin.post(`${asset}/bookmarks`, bookmark, { 'idempotency-key': 'once' }))
  const made = await created(admin.post(`${asset}/models/generate`, {}))
  const path = `${asset}/node_background_tasks/${made.id}`
  assert.equal((await taskWhen(admin, path, 'success', 'error')).attributes.status_code, 'success')
  const notify = { email_addresses: ['ann@bank.example'] }
  const change = await ran(admin, asset, 'run', { property_overrides: { mine: 1 }, notify })
  assert.equal(change.attributes.status_code, 'success')
  const asking = await created(admin.post(`${asset}/changes`, { action: 'ask' }))
  await changeWhen(admin, asking.id, 'asks', ({ attributes }) => attributes.status_code === 'waiting')
  assert.equal((await admin.delete(`/api/changes/${asking.id}`)).status, 204)
  const yearly = { action: 'run', cron_schedule: '0 3 1 1 *', property_overrides: { mine: 2 }, notify }
  await created(admin.post(`${asset}/scheduled_activities`, yearly))
  await published(admin, 'roll', workflow)
  const run = await began(admin, 'roll', { property_overrides: { mine: 3 }, notify })
  assert.equal((await runEnded(admin, run)).attributes.status_code, 'success')
}

async function everythingOpens(): Promise<void> {
  assert.ok((await secretOf('password')).startsWith('the '))
  const converged = await admin.get(`${asset}/converged_properties`)
  assert.equal(converged.status, 200, converged.text)
  assert.equal(converged.body.data.attributes.data.plain, 'kept')
  const project = (await propertiesOf('/api/projects/shop')).replace(/^\/api\/properties\//, '')
  const versions = await admin.get(`/api/properties/${project}/versions?limit=10000`)
  assert.ok(versions.body.data.every((each: Shown) => each.attributes.data !== undefined))
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const settings = `/api/settings/${relationships.settings.data.id}/versions`
  const lists = ['/api/changes', '/api/scheduled_activities', '/api/workflow_runs', `${asset}/models`, settings]
  for (const list of [...lists, '/api/projects/shop/workflows/roll/versions']) {
    const { status, body } = await admin.get(list)
    assert.equal(status, 200)
    assert.ok(body.data.length > 0, list)
  }
  const { data } = (await admin.get('/api/changes')).body
  assert.equal((await admin.get(`/api/changes/${data[0].id}`)).status, 200)
  assert.equal((await ran(admin, asset, 'run')).attributes.status_code, 'success')
}

/** Writes documents and secrets, and reads each back, until it is stopped; returns the number of rounds. */
function writeOn(): { stop: () => Promise<number> } {
  let going = true
  const writing = (async () => {
    const properties = await propertiesOf('/api/projects/shop')
    let round = 0
    while (going) {
      round += 1
      const written = await again(() => admin.patch(properties, { data: { round } }))
      assert.equal(written.status, 200, written.text)
      const read = await again(() => admin.get(properties))
      assert.equal(read.body.data.attributes.data.round, round, read.text)
      const stored = await again(() => store('password', `the value ${round}`))
      assert.equal(stored.status, 201, stored.text)
      assert.equal(await secretOf('password'), `the value ${round}`)
    }
    return round
  })()
  writing.catch(() => {})
  return {
    stop: () => {
      going = false
      return writing
    },
  }
}

/**
 * Repeats a request after a timeout: on a machine that is suspended for seconds no connection is free in time, and the
 * keys are not the cause.
 */
async function again(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || !/The (database is not reachable|service is busy)/.test(answer.text)) return answer
  }
}
