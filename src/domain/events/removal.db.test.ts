import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stretchesText } from '#audit/removals.ts'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { moveClock, testDatabase } from '../../../tests/support/database.ts'
import { sealEverything } from '../../../tests/support/sealed-trail.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { appendProgress, record, removeEvents, verifyAuditTrail } from './index.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'removal test' })
after(async () => {
  await database.end()
  await own.drop()
})

const actor = { userId: null, username: 'ann' }

async function said(type: string, attributes: Record<string, unknown> = {}): Promise<string> {
  await database.transaction(tx => record(tx, { type, actor, attributes }))
  const row = await database.one(sql<{ id: string }>`select id from events order by created_at desc, id desc limit 1`)
  return row!.id
}
const isThere = async (id: string) => (await database.one(sql`select from events where id = ${id}::uuid`)) !== undefined
const sealOf = async (id: string) =>
  (await database.one(sql<{ seq: number }>`select seq from event_seals where event_id = ${id}::uuid`))!.seq
const asOwner = (statement: string) => withClient(own.ownerUrl, client => client.query(statement))
const whatFails = async () => (await verifyAuditTrail(database)).faults.map(({ what }) => what)

test('the service removes events by one function, which takes only what is old and sealed and tells of no removal', async () => {
  const telling = await said('info:data_cleanup:events', { removed_seals: '' })
  const old = await said('api:bookmarks:create')
  await appendProgress(database, old, 'fetched')
  await sealEverything(database)
  const seq = await sealOf(old)
  assert.deepEqual(await removeEvents(database, [telling, old]), [], 'none is old')
  await moveClock(own, '31 days')
  const unsealed = '01900000-0000-7000-8000-000000000001'
  await asOwner(`insert into events (id, created_at, tx, type, system, username, body, attributes)
                 values ('${unsealed}', sluice_now() - interval '40 days', '9000000000000'::xid8, 'x', true, 'ann', '{}', '{}')`)
  const young = await said('api:projects:create')
  await assert.rejects(database.count(sql`delete from events where id = ${old}::uuid`), /permission denied/)
  const asked = database.transaction(async tx => {
    await tx.rows(sql`select set_config('sluice.removing_events', 'on', true)`)
    await tx.count(sql`delete from events where id = ${old}::uuid`)
  })
  await assert.rejects(asked, /permission denied/)
  for (const id of [unsealed, telling, young])
    await assert.rejects(
      asOwner(`begin; set local sluice.removing_events = 'on'; delete from events where id = '${id}'; commit`),
      /written once/,
    )
  await assert.rejects(asOwner(`delete from events where id = '${old}'`), /written once/)
  assert.deepEqual(await removeEvents(database, [unsealed, telling, young, old, old]), [seq])
  assert.deepEqual(await Promise.all([unsealed, telling, young, old].map(isThere)), [true, true, true, false])
  assert.equal(await database.one(sql`select from event_progress where event_id = ${old}::uuid`), undefined)
  assert.deepEqual(await removeEvents(database, [old]), [], 'and nothing twice')
  await withClient(own.superuserUrl, client =>
    client.query(
      `begin; set local session_replication_role = replica; delete from events where id = '${unsealed}'; commit`,
    ),
  )
})

test('what was removed holds once it is told of, sealed yet or not; and is a fault while nobody has', async () => {
  const gone = 'the event is not there, and none that follows tells that it was removed as old'
  assert.deepEqual(await whatFails(), [gone])
  const old = await said('api:projects:create')
  await sealEverything(database)
  await moveClock(own, '31 days')
  const lost = (await verifyAuditTrail(database)).faults[0]!.seq!
  const removed = await database.transaction(async tx => {
    const seals = await removeEvents(tx, [old])
    const attributes = { removed_count: 2, removed_seals: stretchesText([lost, ...seals]) }
    await record(tx, { type: 'info:data_cleanup:events', actor, attributes })
    return seals
  })
  assert.equal(removed.length, 1)
  assert.deepEqual(await whatFails(), [])
  await sealEverything(database)
  const { faults, removed: count } = await verifyAuditTrail(database)
  assert.deepEqual([faults, count], [[], 2])
})

test('what somebody deletes behind the back of the service is told apart from what it removed', async () => {
  const victim = await said('api:secrets:resolve')
  await sealEverything(database)
  await withClient(own.superuserUrl, client =>
    client.query(
      `begin; set local session_replication_role = replica; delete from events where id = '${victim}'; commit`,
    ),
  )
  const { faults, removed } = await verifyAuditTrail(database)
  assert.deepEqual([faults.map(({ seq }) => seq), removed], [[await sealOf(victim)], 3])
})
