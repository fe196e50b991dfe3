import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../../../tests/support/database.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { gatherMissingStatistics } from './missing-statistics.ts'

const database = await testDatabase()
after(() => database.drop())

const { ownerUrl: url } = database
const gather = (signal = new AbortController().signal) =>
  gatherMissingStatistics({ url, name: 'test statistics', signal })

/** A table of `rows` rows as a restore leaves it: an index has counted them, and there are no statistics. */
const restored = (name: string, rows: number) =>
  withClient(url, owner =>
    owner.query(`
      create table ${name} (id int, parent int) with (autovacuum_enabled = false);
      insert into ${name} select i, (i - 1) / 1000 from generate_series(1, ${rows}) i;
      create index on ${name} (parent)`),
  )

test('tables with records and without statistics are analyzed, once, and small ones are left alone', async () => {
  await restored('restored', 50_000)
  await restored('"Small one"', 10)
  const analyzed = await gather()
  assert.deepEqual([analyzed.includes('restored'), analyzed.includes('"Small one"')], [true, false])
  await withClient(url, async owner => {
    const { rows } = await owner.query(
      `select n_distinct from pg_stats where tablename = 'restored' and attname = 'parent'`,
    )
    assert.equal(rows[0]?.n_distinct, 50)
  })
  assert.deepEqual(await gather(), [])
})

test('a partition is analyzed by itself, and a name is quoted where it has to be', async () => {
  await withClient(url, owner =>
    owner.query(`
      create table logged (at int, text text) partition by range (at);
      create table "Logged now" partition of logged for values from (0) to (100000) with (autovacuum_enabled = false);
      create table logged_later partition of logged for values from (100000) to (200000);
      insert into logged select i, 'line' from generate_series(1, 50000) i`),
  )
  assert.ok((await gather()).includes('"Logged now"'))
})

test('one process gathers at a time, and a stop ends it', async () => {
  await restored('again', 50_000)
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('begin; lock table again in access exclusive mode')
  const stop = new AbortController()
  const first = gather(stop.signal)
  const waits = `select from pg_locks where relation = 'again'::regclass and not granted`
  while (!(await holder.query(waits)).rowCount);
  assert.deepEqual(await gather(), [])
  stop.abort()
  assert.deepEqual(await first, [])
  await holder.query('rollback')
  await holder.end()
})
