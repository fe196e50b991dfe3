import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moveClock, testDatabase } from './database.ts'
import { withClient } from './template-database.ts'

const database = await testDatabase()
after(() => database.drop())

test('two tests never meet in one database', async () => {
  const other = await testDatabase()
  try {
    await withClient(database.ownerUrl, client => client.query('create table only_here ()'))
    const found = await withClient(other.ownerUrl, client => client.query(`select to_regclass('only_here') as name`))
    assert.equal(found.rows[0].name, null)
  } finally {
    await other.drop()
  }
})

test('the moved clock is what defaults of columns read', async () => {
  await moveClock(database, '3 days')
  const { rows } = await withClient(database.appUrl, client =>
    client.query(`
      insert into idempotency_keys (user_id, key, route, body_sha) values (gen_random_uuid(), 'k', 'r', '')
      returning created_at - clock_timestamp() between '71 hours 59 minutes' and '72 hours' as moved
    `),
  )
  assert.equal(rows[0].moved, true)
})

test('the role of the service changes no schema', async () => {
  await assert.rejects(
    withClient(database.appUrl, client => client.query('create table mine ()')),
    /permission denied/,
  )
})
