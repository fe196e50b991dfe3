import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from './database.ts'
import { sql } from './sql.ts'

let own: TestDatabase
let database: Database

before(async () => {
  own = await testDatabase()
  database = openDatabase({ url: own.ownerUrl, name: 'ids test' })
})
after(async () => {
  await database.end()
  await own.drop()
})

test('an id says its instant as it always has, to the microsecond, until 2105', async () => {
  const rows = await database.rows(sql<{ made: string; earlier: string }>`
    select sluice_uuid7_of(at)::text as made,
           sluice_uuid7_at(at, substring(uuid_send(gen_random_uuid()) from 9 for 8))::text as earlier
      from (select timestamptz '1970-01-01 00:00:00+00' + n * interval '100 days 1 hour'
                   + (n * 7919007 % 1000000) * interval '1 microsecond' as at
              from generate_series(0::bigint, 490) n) instants`)
  const instantOf = (id: string) => id.slice(0, 18)
  assert.deepEqual(
    rows.map(({ made }) => instantOf(made)),
    rows.map(({ earlier }) => instantOf(earlier)),
  )
  for (const { made } of rows) assert.match(made, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('ids of one instant differ, and those of the next microsecond are greater', async () => {
  const rows = await database.rows(sql<{ id: string }>`
    select sluice_uuid7_of(at + n / 10 * interval '1 microsecond') as id
      from sluice_now() at, generate_series(0, 999) n`)
  const ids = rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, 1_000)
  for (let at = 10; at < ids.length; at++) assert.ok(ids[at]! > ids[at - (at % 10) - 1]!)
})
