import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { addPeople } from '../../bench/seeded/people.ts'
import { growSkew, type Skew, type SkewOptions, skewedTables } from '../../bench/seeded/skew.ts'
import { assetsOfProject, growTree } from '../../bench/seeded/tree.ts'
import { withoutIndexes } from '../../bench/seeded/without-indexes.ts'
import { growingTables } from './a-million-assets.ts'
import { type TestDatabase, testDatabase } from './database.ts'

/** A database with misleading statistics, and the records in it that the tests use. */
export interface SkewedInstallation extends TestDatabase, Skew {
  readonly projects: number
  /** Gathers the statistics again. Until then PostgreSQL only knows of the few rows that were there before. */
  analyze(): Promise<void>
}

const projects = 40
const wish: SkewOptions = {
  children: 6_000,
  targets: 2_000,
  assetsOfOne: 8_000,
  smallChanges: 1_500,
  logLines: 100_000,
  analyzedSmall: true,
}

/**
 * Installation in which almost everything belongs to a few records: a change with thousands of parallel steps, a run
 * with thousands of targets, an environment with thousands of assets, a step with a long log. After `analyze`
 * PostgreSQL assumes that an average parent has thousands of children.
 */
export async function skewedInstallation(): Promise<SkewedInstallation> {
  const database = await testDatabase()
  const client = new pg.Client(database.superuserUrl)
  await client.connect()
  try {
    await addPeople(client, { projects, passwordHash: randomBytes(8).toString('hex') })
    for (const table of [...growingTables, ...skewedTables].filter(each => !partitioned.has(each)))
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await withoutIndexes(database.superuserUrl, growingTables, () =>
      growTree(client, { assets: projects * assetsOfProject, commit: 'a'.repeat(40), repository: 'file:///nowhere' }),
    )
    const skew = await growSkew(client, wish)
    const analyze = () => withClient(database.superuserUrl, each => each.query('vacuum analyze'))
    return { ...database, ...skew, projects, analyze }
  } finally {
    await client.end()
  }
}

/** Tables without storage parameters; their partitions are too small here for autovacuum. */
const partitioned: ReadonlySet<string> = new Set(['log_chunks', 'events'])

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
