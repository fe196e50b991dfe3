import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, openDatabase, type Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'
import { moveClock, testDatabase } from '../../../tests/support/database.ts'
import { sealEverything } from '../../../tests/support/sealed-trail.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { record, recordAll, sealNext, verifyAuditTrail } from './index.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.appUrl, name: 'events test' })
after(async () => {
  await database.end()
  await own.drop()
})

const actor = { userId: null, username: 'ann' }
const say = (event: Partial<NewEvent>) =>
  database.transaction(tx => record(tx, { type: 'api:projects:create', actor, ...event }))
const newest = async (columns: Sql = sql`*`) =>
  (await database.one(
    sql<Record<string, unknown>>`select ${columns} from events order by created_at desc, id desc limit 1`,
  ))!
const countOf = async (type: string) =>
  (await database.one(sql<{ n: number }>`select count(*)::int as n from events where type = ${type}`))!.n
const seal = () => database.transaction(sealNext)

test('an event that the catalogue does not know is a bug', async () => {
  await assert.rejects(say({ type: 'api:nothing:happened' }), /not in the catalogue/)
  await assert.rejects(say({ type: 'constructor' }), /not in the catalogue/)
})

test('an event tells under what its record stands', async () => {
  const id = '01900000-0000-7000-8000-000000000001'
  const path = '/projects/bank/environments/live/assets/web'
  const node = { id, path, projectId: id }
  await say({ node, source: { type: 'asset', id }, type: 'api:nodes:create' })
  assert.deepEqual((await newest())['attributes'], { parent_code: 'live', parent_node_type: 'environment' })
  const change = '01900000-0000-7000-8000-000000000002'
  await say({ node, source: { type: 'change', id: change }, type: 'api:changes:create', message: 'hello' })
  const event = await newest()
  assert.deepEqual(event['attributes'], { parent_code: 'web', parent_node_type: 'asset', message: 'hello' })
  assert.equal(event['activity_id'], change)
  assert.equal(event['path'], path)
  await say({ node: { id, path: '/projects/bank', projectId: id }, source: { type: 'project', id } })
  assert.deepEqual((await newest())['attributes'], {})
})

test('events of one happening keep their order, in time as by id, and a throttled one among them is left out', async () => {
  const throttle = { key: 'many', seconds: 60 }
  const events: NewEvent[] = Array.from({ length: 300 }, (_, place) => ({
    type: 'api:projects:update',
    actor,
    attributes: { place, text: 'a "b" \\ {c}' },
    ...((place === 7 || place === 9) && { throttle }),
  }))
  await database.transaction(tx => recordAll(tx, events))
  const expected = events.flatMap(({ attributes }, place) => (place === 9 ? [] : [attributes]))
  for (const order of [sql`id`, sql`created_at`]) {
    const rows = await database.rows(sql<{ attributes: object }>`
      select attributes from events where type = 'api:projects:update' order by ${order}`)
    assert.deepEqual(
      rows.map(({ attributes }) => attributes),
      expected,
    )
  }
  assert.deepEqual(await database.transaction(tx => recordAll(tx, [])), undefined)
})

test('text that PostgreSQL cannot hold is kept with its place marked', async () => {
  await say({ attributes: { error: 'a\0b\ud800', deep: [{ 'k\0': undefined, keep: 1 }], gone: undefined } })
  assert.deepEqual((await newest())['attributes'], { error: 'a\u2400b\ufffd', deep: [{ keep: 1 }] })
})

test('a throttled event is recorded once in its period for each cause, also by transactions at the same time', async () => {
  const type = 'warn:git_remote:periodic_fetch:failed'
  const fails = (id: string) => say({ type, source: { type: 'git_remote', id } })
  const [one, two] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b']
  await Promise.all([fails(one!), fails(one!), fails(one!), fails(two!)])
  assert.equal(await countOf(type), 2)
  await moveClock(own, '59 minutes')
  await fails(one!)
  assert.equal(await countOf(type), 2)
  await moveClock(own, '2 minutes')
  await fails(one!)
  assert.equal(await countOf(type), 3)
  const once = { type: 'info:email:sent', throttle: { key: 'k', seconds: 10 } }
  await say(once)
  await say(once)
  assert.equal(await countOf('info:email:sent'), 1)
})

test('a throttled event is recorded again once the clock was set back', async () => {
  const twice = { type: 'info:email:sent', throttle: { key: 'clock', seconds: 60 } }
  const before = await countOf(twice.type)
  await say(twice)
  await moveClock(own, '-1 hour')
  await say(twice)
  await say(twice)
  await moveClock(own, '1 hour')
  assert.equal(await countOf(twice.type), before + 2)
})

test('an event is there exactly if its transaction commits', async () => {
  const undone = database.transaction(async tx => {
    await record(tx, { type: 'api:bookmarks:create', actor })
    throw new Error('no')
  })
  await assert.rejects(undone, /no/)
  assert.equal(await countOf('api:bookmarks:create'), 0)
})

test('events are sealed in the order in which they were recorded, and never past a transaction that still runs', async () => {
  await sealEverything(database)
  const before = (await verifyAuditTrail(database)).sealed
  const early = await openTransaction()
  await record(early.tx, { type: 'api:bookmarks:update', actor, attributes: { name: 'early' } })
  // An event is not waited for until its commit: what is answered behind it tells that it was written.
  await early.tx.one(sql`select 1`)
  await say({ type: 'api:bookmarks:destroy', attributes: { name: 'late' } })
  await seal()
  assert.equal((await verifyAuditTrail(database)).sealed, before)
  await early.commit()
  await sealEverything(database)
  const verdict = await verifyAuditTrail(database)
  assert.deepEqual(verdict, { sealed: before + 2, removed: 0, faults: [] })
  const last = await database.rows(sql<{ type: string }>`
    select e.type from event_seals s join events e on e.id = s.event_id order by s.seq desc limit 2`)
  assert.deepEqual(
    last.map(({ type }) => type),
    ['api:bookmarks:destroy', 'api:bookmarks:update'],
  )
})

test('what happens to one record is sealed in its order, whichever transaction began to write first', async () => {
  const early = await openTransaction()
  // It has its number, and then waits for the record that another one has.
  await early.tx.one(sql`select pg_current_xact_id()`)
  await say({ type: 'api:settings:update', attributes: { version: 2 } })
  await record(early.tx, { type: 'api:settings:update', actor, attributes: { version: 3 } })
  await early.tx.one(sql`select 1`)
  await early.commit()
  await sealEverything(database)
  const sealed = await database.rows(sql<{ version: number }>`
    select (e.attributes ->> 'version')::int as version
      from event_seals s join events e on e.id = s.event_id
     where e.type = 'api:settings:update'
     order by s.seq`)
  assert.deepEqual(
    sealed.map(({ version }) => version),
    [2, 3],
  )
  assert.deepEqual((await verifyAuditTrail(database)).faults, [])
})

test('two sealers do not get in each other’s way', async () => {
  for (let i = 0; i < 20; i++) await say({ attributes: { i } })
  await Promise.all([1, 2, 3].map(() => sealEverything(database)))
  assert.deepEqual((await verifyAuditTrail(database)).faults, [])
})

test('more events than fit in one batch are sealed without a gap', async () => {
  await database.count(sql`
    insert into events (type, system, username, body, attributes)
    select 'api:projects:create', true, 'ann', '{}', '{}' from generate_series(1, 2500)`)
  for (let i = 0; i < 3; i++) await say({ attributes: { i } })
  await sealEverything(database)
  const counts = await database.one(sql`
    select (select count(*)::int from events) - (select count(*)::int from event_seals) as unsealed,
           (select seq from audit_head) - (select count(*)::int from event_seals) as gap`)
  assert.deepEqual(counts, { unsealed: 0, gap: 0 })
})

test('the service can neither change, delete nor empty what was recorded, not even partition by partition', async () => {
  const partition = (await database.one(
    sql<{ name: string }>`select tableoid::regclass::text as name from events limit 1`,
  ))!
  for (const table of ['events', 'event_seals', partition.name]) {
    for (const statement of [
      `delete from ${table}`,
      `truncate ${table}`,
      `update ${table} set ${table === 'event_seals' ? 'seq = 1' : "username = 'x'"}`,
    ]) {
      await assert.rejects(database.rows(sql.raw(statement)), /permission denied/, statement)
      if (!statement.startsWith('truncate') || table !== partition.name)
        await assert.rejects(
          withClient(own.ownerUrl, client => client.query(statement)),
          /written once/,
          statement,
        )
    }
  }
})

test('who changes the trail behind the back of the service is found out', async () => {
  const tamper = async (statement: string) => {
    const copy = await testDatabaseWithTrail()
    await withClient(copy.own.superuserUrl, client =>
      client.query(`begin; set local session_replication_role = replica; ${statement}; commit`),
    )
    const { faults } = await verifyAuditTrail(copy.database)
    await copy.end()
    return faults.map(({ what }) => what).join('; ')
  }
  const second = '(select event_id from event_seals where seq = 2)'
  assert.equal(await tamper('select 1'), '')
  assert.match(await tamper(`update events set body = '{}' where id = ${second}`), /the event was changed/)
  assert.match(await tamper(`update events set username = 'eve' where id = ${second}`), /username differ/)
  assert.match(await tamper(`update events set attributes = '{"n":9}' where id = ${second}`), /attributes differ/)
  assert.match(await tamper(`update events set created_at = now() where id = ${second}`), /was changed/)
  assert.match(await tamper('delete from event_seals where seq = 2'), /seals 2 to 2 are missing/)
  assert.match(await tamper('delete from event_seals where seq = 3'), /the chain ends at 2, its head says 3/)
  assert.match(await tamper(`update event_seals set digest = '\\x00' where seq = 2`), /does not chain/)
  assert.match(
    await tamper(`insert into events (tx, type, system, username, body, attributes)
                  select tx, type, true, 'eve', body, attributes from events limit 1`),
    /put in without being sealed/,
  )
})

async function testDatabaseWithTrail() {
  const own = await testDatabase()
  const database = openDatabase({ url: own.appUrl, name: 'events test' })
  for (let n = 1; n <= 3; n++)
    await database.transaction(tx => record(tx, { type: 'api:projects:create', actor, attributes: { n, f: 1.5e300 } }))
  await sealEverything(database)
  const end = async () => {
    await database.end()
    await own.drop()
  }
  return { own, database, end }
}

/** A transaction that a test holds open as long as it likes. */
async function openTransaction(): Promise<{ tx: Tx; commit: () => Promise<void> }> {
  const begun = Promise.withResolvers<Tx>()
  const end = Promise.withResolvers<void>()
  const done = database.transaction(async tx => {
    begun.resolve(tx)
    await end.promise
  })
  return {
    tx: await begun.promise,
    commit: () => {
      end.resolve()
      return done
    },
  }
}
