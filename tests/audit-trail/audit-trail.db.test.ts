import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { verifyAuditTrail } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transitionsWithoutEvent } from '../failure/transitions.ts'
import { often, readyVersion } from '../support/changes.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { Chance } from './chance.ts'
import type { Asked, Known } from './deeds.ts'
import { ask, type Done, learn, play } from './history.ts'
import { journalSchema, readEvents, readJournal } from './journal.ts'
import { goneOf, inOrder, listedTo, ofRequests } from './judge.ts'
import { differing } from './retold.ts'
import { unexplained } from './unexplained.ts'

/**
 * Random, partly concurrent requests: the current records and their authors can be derived from the events alone, every
 * written row has an event, and every event has an effect. SLUICE_TEST_SEED selects another history,
 * SLUICE_TEST_REQUESTS a longer one.
 */

const seed = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_122)
const deeds = Number(process.env['SLUICE_TEST_REQUESTS'] ?? 300)

const actions = `
actions:
  ask: { description: Waits, steps: [{ wait: Look }] }
  guarded: { description: Asks, steps: [{ wait: Look, approvers: { user_names: [ann, bob] } }] }
`
const everything = { read: true, update: true, execute: true, delete: true }

let service: TestService
let earlier: ReadonlySet<string>
const known: Known = new Map()

before(async () => {
  service = await startTestService()
  await withClient(service.testDatabase.superuserUrl, admin => admin.query(journalSchema))
  const rows = await service.database.rows(sql<{ id: string }>`
    select id from users union all select id from policy_assignments`)
  earlier = new Set(rows.map(({ id }) => id))
  await service.addUser('ann', [{ path: '/projects/bank', ...everything }])
  await service.addUser('bob', [
    { path: '/projects/bank', read: true, execute: true },
    { path: '/projects/bank/environments', ...everything },
  ])
  await service.addUser('eve', [])
  await bank()
})
after(() => service.stop())

async function bank(): Promise<void> {
  const admin = service.as('admin')
  const repository = await service.repository({ 'web/actions.yaml': actions, 'web/model.json.erb': '{"actions": []}' })
  const make = async (path: string, attributes: object) => {
    const answer = await admin.post(path, attributes)
    assert.equal(answer.status, 201, answer.text)
    await learn(admin, answer, known)
  }
  const { body } = await admin.get('/api/system_configuration')
  known.set('system', [`/settings/${body.data.relationships.settings.data.id}`])
  const project = '/api/projects/bank'
  await make('/api/projects', { code: 'bank', name: 'Bank' })
  await make(`${project}/environments`, { code: 'live', name: 'Live' })
  await make(`${project}/git_remotes`, { name: 'code', url: repository.url })
  await make(`${project}/templates`, { code: 'web', name: 'Web', template_type: 'asset', git_remote_name: 'code' })
  for (const version of ['1', '2']) await readyVersion(admin, `${project}/templates/web/versions/${version}`, 'main')
  const web = { template_code: 'web', template_version: '1' }
  await make(`${project}/assets`, { code: 'front', name: 'Front', ...web })
  await make(`${project}/environments/live/assets`, { code: 'back', name: 'Back', ...web })
}

async function everythingEnds(done: Done[]): Promise<void> {
  const admin = service.as('admin')
  const asAdmin = (asked: Asked) => ask({ username: 'admin', client: admin }, asked, known, done)
  const data = { maintenance_mode: null }
  await asAdmin({ method: 'PATCH', path: known.get('system')![0]!, attributes: { data } })
  await until(
    'all that goes on has ended',
    async () => {
      const open = await service.database.rows(sql<{ id: string; kind: string; cancelled: boolean }>`
        select a.id, a.kind::text as kind, a.cancel_requested_at is not null as cancelled from activities a
         where not a.final`)
      for (const { id, kind, cancelled } of open)
        if (!cancelled) await asAdmin({ method: 'DELETE', path: `/${kind}s/${id}` })
      const working = await service.database.rows(sql`
        select id from template_versions where fetch_open
         union all
        select id from node_background_tasks where status_code in ('initializing', 'running')`)
      return open.length + working.length
    },
    left => left === 0,
    often,
  )
}

test('the audit trail tells all that happened, and nothing else', async t => {
  const askers = ['admin', 'admin', 'admin', 'admin', 'ann', 'ann', 'ann', 'bob', 'eve'].map(username => ({
    username,
    client: service.as(username),
  }))
  const { database } = service
  const before = new Set((await readEvents(database)).map(({ id }) => id))
  const done = await play({ askers, chance: new Chance(seed), known }, { deeds, atOnce: 4 })
  t.diagnostic(JSON.stringify(tally(done)))
  await everythingEnds(done)
  await sealEverything(database)
  const [journal, events] = [await readJournal(database), await readEvents(database)]
  const ofHistory = events.filter(({ id }) => !before.has(id))
  const wrong = [
    ...unexplained(journal, events, earlier),
    ...ofRequests(ofHistory, done),
    ...inOrder(events),
    ...(await differing(database, events, earlier)),
    ...(await transitionsWithoutEvent(database)).map(each => JSON.stringify(each)),
  ]
  // Reasons of responses with status 500.
  const thrown = wrong.some(each => each.startsWith('500 '))
    ? service.logged.filter(line => line.includes('"err"'))
    : []
  assert.deepEqual([...new Set(wrong), ...thrown], [])
  assert.deepEqual((await verifyAuditTrail(database)).faults, [])
})

test('who may read a node sees its events, all of them, and no others', async () => {
  const events = await readEvents(service.database)
  const ofBank = events.filter(({ path }) => path !== null && /^\/projects\/bank(\/|$)/.test(path))
  for (const [username, visible] of [
    ['admin', events],
    ['ann', ofBank],
    ['eve', []],
  ] as const)
    assert.deepEqual(
      (await listedTo(service.as(username), 'type')).map(({ id }) => id),
      visible.map(({ id }) => id),
      username,
    )
  for (const { id } of events.slice(-20)) assert.equal((await service.as('eve').get(`/api/events/${id}`)).status, 404)
})

test('what an event is about is found where the event says, as long as it is there', async () => {
  const admin = service.as('admin')
  const gone = goneOf(await readJournal(service.database))
  const sources = new Map<string, string>()
  for (const { relationships } of await listedTo(admin, 'source')) {
    const { data, links } = relationships?.source ?? {}
    if (links?.source && !gone(data.id)) sources.set(links.source, data.id)
  }
  const wrong: string[] = []
  for (const [link, id] of sources) {
    const { status, body } = await admin.get(link)
    if (status !== 200 || body.data.id !== id) wrong.push(`${link}: ${status}, not ${id}`)
  }
  assert.deepEqual(wrong, [])
  // A history may destroy the project with everything in it; added users stay.
  const found = new Set(sources.values())
  const users = await service.database.rows(sql<{ id: string; username: string }>`
    select id, username from users where deleted_at is null`)
  for (const { id, username } of users) assert.ok(earlier.has(id) || found.has(id), username)
})

const tally = (done: readonly Done[]) =>
  Object.fromEntries([...Map.groupBy(done, ({ status }) => status)].map(([status, all]) => [status, all.length]))
