import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from './database.ts'
import { together } from './pipeline.ts'
import { sql } from './sql.ts'

let own: TestDatabase
let database: Database

before(async () => {
  own = await testDatabase()
  database = openDatabase({ url: own.ownerUrl, name: 'together test', size: 1 })
  await database.count(sql`create table entries (said text primary key)`)
})
after(async () => {
  await database.end()
  await own.drop()
})

const say = (text: string) => sql`insert into entries values (${text})`
const said = async () =>
  (await database.rows(sql<{ said: string }>`select said from entries order by said`)).map(row => row.said)

test('answers come in the order in which they were asked for', async () => {
  const answers = await database.transaction(tx =>
    together([tx.one(sql`select 1 as n`), undefined, tx.count(say('one')), 'given']),
  )
  assert.deepEqual(answers, [{ n: 1 }, undefined, 1, 'given'])
})

test('what failed first is thrown, not what was only told that its transaction is over', async () => {
  const failing = database.transaction(tx => {
    const [first, second] = [tx.count(say('one')), tx.count(say('two'))]
    return together([second, first])
  })
  await assert.rejects(failing, { code: '23505' })
  assert.deepEqual(await said(), ['one'])
})

test('nothing of it is sent behind the rollback of its savepoint', async () => {
  const late = async (tx: { count: typeof database.count }) => {
    await tx.count(say('before'))
    await tx.count(say('late'))
  }
  await database.transaction(async tx => {
    const refused = tx.savepoint(() => together([Promise.reject(new Error('refused')), late(tx)]))
    await assert.rejects(refused, /refused/)
    await tx.count(say('after'))
  })
  assert.deepEqual(await said(), ['after', 'one'])
})
