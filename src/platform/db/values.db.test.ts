import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from './database.ts'
import { sql } from './sql.ts'

let own: TestDatabase
let database: Database

before(async () => {
  own = await testDatabase()
  database = openDatabase({ url: own.ownerUrl, name: 'values test' })
})
after(async () => {
  await database.end()
  await own.drop()
})

test('times are text with microseconds, alone and in arrays', async () => {
  const times = await database.one(sql`
    select timestamptz '2026-11-21 02:00:00.1+00' as one,
           array[timestamptz '2026-11-21 02:00:00.000001+00', '1999-12-31 23:59:59+00'] as several,
           array[]::timestamptz[] as none`)
  assert.deepEqual(times, {
    one: '2026-11-21T02:00:00.100000Z',
    several: ['2026-11-21T02:00:00.000001Z', '1999-12-31T23:59:59.000000Z'],
    none: [],
  })
})

test('ids in an array are texts, and one that is missing is null', async () => {
  const [one, other] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
  const ids = await database.one(sql`
    select array[${one}::uuid, null, ${other}::uuid] as several, array[]::uuid[] as none, null::uuid[] as missing`)
  assert.deepEqual(ids, { several: [one, null, other], none: [], missing: null })
})

test('numbers are exact, or refused', async () => {
  assert.deepEqual(await database.one(sql`select 9007199254740991::int8 as most`), { most: Number.MAX_SAFE_INTEGER })
  await assert.rejects(database.one(sql`select 9007199254740992::int8 as more`), /beyond 2\^53: 9007199254740992/)
})
