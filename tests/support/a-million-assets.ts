import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { addPeople } from '../../bench/seeded/people.ts'
import { assetsOfProject, growTree } from '../../bench/seeded/tree.ts'
import { withoutIndexes } from '../../bench/seeded/without-indexes.ts'
import { type TestDatabase, testDatabase } from './database.ts'

const here = 20_000
const promised = 1_000_000

/** Tables that grow with the use of an installation, which no list may read whole. */
export const growingTables = [
  ...['nodes', 'template_version_histories', 'templates', 'template_versions', 'template_version_commits'],
  ...['settings', 'properties', 'git_remotes', 'bookmarks', 'node_background_tasks'],
] as const

export interface MillionAssets extends TestDatabase {
  readonly projects: number
}

/**
 * A database for which PostgreSQL plans as with a million assets: a fiftieth of the rows of `bench/seed`, with the
 * statistics of all. The planner uses the actual pages of a table and the rows per page of its statistics, so reading a
 * whole table looks fifty times as cheap here as it is: a plan that avoids it here avoids it there.
 */
export async function aMillionAssets(): Promise<MillionAssets> {
  const database = await testDatabase()
  const client = new pg.Client(database.superuserUrl)
  await client.connect()
  try {
    const projects = here / assetsOfProject
    await addPeople(client, { projects, passwordHash: randomBytes(8).toString('hex') })
    await withoutIndexes(database.superuserUrl, growingTables, async () => {
      await growTree(client, { assets: here, commit: 'a'.repeat(40), repository: 'file:///nowhere' })
      await client.query(`
        insert into bookmarks (node_id, project_id, path, description, created_by, user_id, created_at)
        select id, project_id, path, 'Runbook', created_by, user_id, created_at from nodes`)
      await client.query(`
        insert into node_background_tasks (task_type, node_id, project_id, path, pool, status_code, created_by, user_id,
                                           created_at)
        select 'GenerateActionsRequest', id, project_id, path, 'refresh',
               case when number % 1000 = 0 then 'running' else 'success' end, created_by, user_id, created_at
          from nodes where node_type = 'asset'`)
    })
    for (const table of growingTables) await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await client.query(`vacuum analyze ${growingTables.join(', ')}`)
    await pretend(client, promised / here)
    return { ...database, projects }
  } finally {
    await client.end()
  }
}

/** Multiplies the rows of tables and indexes, and the number of distinct ids in a column. */
async function pretend(client: pg.Client, times: number): Promise<void> {
  await client.query(
    `update pg_class c set reltuples = reltuples * $2
      where c.oid = any($1::regclass[])
         or c.oid in (select indexrelid from pg_index where indrelid = any($1::regclass[]))`,
    [growingTables, times],
  )
  // Numbers relative to the rows are negative there, and grow by themselves.
  await client.query(
    `update pg_statistic s set stadistinct = stadistinct * $2
       from pg_attribute a
      where a.attrelid = s.starelid and a.attnum = s.staattnum and a.atttypid = 'uuid'::regtype
        and s.starelid = any($1::regclass[]) and s.stadistinct > 0 and a.attname <> 'user_id'`,
    [growingTables, times],
  )
}
