import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { testServerUrl } from '../../../tests/support/database-server.ts'
import { emptyDatabase, roleUrl, withClient } from '../../../tests/support/template-database.ts'
import { migrate, readMigrations } from './migrate.ts'

const server = await testServerUrl()
const made: string[] = []
after(() =>
  withClient(server, async admin => {
    for (const name of made) await admin.query(`drop database ${name} with (force)`)
  }),
)

test('an empty database is brought to the schema and that is said in a line; a second time nothing is left to do', async () => {
  const database = await newDatabase()
  const each: string[] = []
  const migrations = await readMigrations()
  const newest = Number(migrations.at(-1)!.name.slice(0, 4))
  assert.deepEqual(await lines(database, each), [
    `The database is at migration ${newest} (${migrations.length} applied).`,
  ])
  assert.deepEqual(
    each,
    migrations.map(({ name }) => `database: ${name}`),
  )
  assert.deepEqual(await lines(database), [])
})

test('processes that start at the same moment migrate once', async () => {
  const database = await newDatabase()
  const each: string[] = []
  await Promise.all([lines(database, each), lines(database, each), lines(database, each)])
  assert.deepEqual(
    each.toSorted(),
    (await readMigrations()).map(({ name }) => `database: ${name}`),
  )
})

test('a table that somebody holds is waited for: the start does not fail', async () => {
  const database = await newDatabase()
  await lines(database)
  const said = await owner(database, async reader => {
    await reader.query('begin; lock table schema_migrations in access exclusive mode')
    const told: string[] = []
    await migrate({
      ownerUrl: roleUrl(server, 'sluice_owner', database),
      appUrl: roleUrl(server, 'sluice_app', database),
      release: '1.0.0',
      log: line => {
        told.push(line)
        void reader.query('rollback')
      },
      lockTimeoutMilliseconds: 20,
    })
    return told
  })
  assert.deepEqual(said, ['database: a table to be changed is locked; trying again'])
})

test('whoever starts after months finds a partition for the month that it is, and for those to come in any case', async () => {
  const database = await newDatabase()
  await lines(database)
  const partitions = (client: pg.Client) =>
    client.query<{ name: string }>(`
      select inhrelid::regclass::text as name from pg_inherits
       where inhparent in ('events'::regclass, 'log_chunks'::regclass) order by 1`)
  // As when those of then have nothing to do with today.
  const drop = async (client: pg.Client) => {
    const { rows } = await partitions(client)
    for (const { name } of rows) if (!name.endsWith('_default')) await client.query(`drop table ${name}`)
    return rows
  }
  const before = await owner(database, drop)
  assert.deepEqual(await lines(database), [])
  assert.deepEqual((await owner(database, partitions)).rows, before)
  await owner(database, async client => {
    await drop(client)
    await client.query(`
      insert into events (type, system, username, body, attributes) values ('early', true, 'system', '', '{}')`)
  })
  assert.deepEqual(await lines(database), [])
  const [first, ...others] = before.map(({ name }) => name).filter(name => name.startsWith('events_2'))
  const made = (await owner(database, partitions)).rows.map(({ name }) => name)
  assert.deepEqual([made.includes(first!), others.every(name => made.includes(name))], [false, true])
  assert.deepEqual(
    made.filter(name => name.startsWith('log_chunks_')),
    before.map(({ name }) => name).filter(name => name.startsWith('log_chunks_')),
  )
})

test('a migration that was edited after it was applied is refused', async () => {
  const database = await newDatabase()
  await lines(database)
  await owner(database, client =>
    client.query(`update schema_migrations set sha256 = 'other' where name = '0000_schema'`),
  )
  await assert.rejects(lines(database), /db.schema was changed after it was applied/)
})

test('a database of a newer release is refused by name', async () => {
  const database = await newDatabase()
  await lines(database)
  await owner(database, client =>
    client.query(`insert into schema_migrations values ('9999_later.sql', 'x', '99.0.0')`),
  )
  await assert.rejects(lines(database), /belongs to a newer Sluice .9999_later.sql needs at least 99.0.0/)
})

test('a release that runs beside a newer one on its schema says so', async () => {
  const database = await newDatabase()
  await lines(database)
  await owner(database, client => client.query(`insert into schema_migrations values ('9998_later.sql', 'x', '0.0.1')`))
  const said = await lines(database)
  assert.match(said.join('\n'), /The database is at migration 9998, and this release .* knows them up to \d+/)
})

test('the role of the service cannot change what is written once', async () => {
  const database = await newDatabase()
  await lines(database)
  await withClient(roleUrl(server, 'sluice_app', database), async client => {
    for (const table of ['events', 'event_seals']) {
      await assert.rejects(client.query(`delete from ${table}`), /permission denied/, table)
      await assert.rejects(client.query(`update ${table} set id = id`), /permission denied|does not exist/, table)
      await assert.rejects(client.query(`truncate ${table}`), /permission denied/, table)
    }
    const partitions = await client.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
    )
    assert.ok(partitions.rows.length > 0, 'events are partitioned')
    for (const { name } of partitions.rows) {
      await assert.rejects(client.query(`delete from ${name}`), /permission denied/, name)
    }
  })
})

async function newDatabase(): Promise<string> {
  const name = `migrate_${process.pid}_${made.length}`
  made.push(name)
  await emptyDatabase(server, name)
  return name
}

/** Lines that migrating logs; those of each migration are added to `each`. */
async function lines(database: string, each: string[] = []): Promise<string[]> {
  const said: string[] = []
  await migrate({
    ownerUrl: roleUrl(server, 'sluice_owner', database),
    appUrl: roleUrl(server, 'sluice_app', database),
    release: '0.1.0',
    log: line => said.push(line),
    debug: line => each.push(line),
  })
  return said
}

function owner<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(roleUrl(server, 'sluice_owner', database), work)
}
