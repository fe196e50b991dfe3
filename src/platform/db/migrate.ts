import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { adoptionOf, isDevelopmentDatabase } from './development-database.ts'
import { countOn } from './transaction-numbers.ts'

const folder = join(import.meta.dirname, '../../../db')
/** Name under which db/schema is recorded as applied: the schema of 0.1.0, from which migrations count. */
const schema = '0000_schema'
const lock = 7_314_159_265

export interface Migration {
  /** File name in db/migrations, or `0000_schema` for all files of db/schema. */
  name: string
  sql: string
  sha256: string
  /** The oldest release whose processes still run on the schema after this migration (expand, release, contract). */
  oldestRelease: string
}

interface Applied {
  name: string
  sha256: string
  oldest_release: string
}

/**
 * Migrates the database to the schema of this release, each migration in a transaction of its own, one process at a
 * time. Afterwards the service's role may read and write data, but not change the schema, nor change or delete events
 * and their seals. In a database restored from another server, transaction numbers continue from the old server's.
 *
 * @throws when an applied migration was edited, or when the database belongs to a release that this one cannot run
 *   beside
 */
export async function migrate(options: {
  /** URL whose role may change the schema. */
  ownerUrl: string
  /**
   * URL whose role gets the rights on data. It may be the owner's role; the audit trail then rests on its triggers
   * alone.
   */
  appUrl: string
  release: string
  /** Log for progress: how far the database has come, if anything was applied, and waits for locked tables. */
  log: (line: string) => void
  /** Called for each migration. */
  debug?: ((line: string) => void) | undefined
  /** Time for which each attempt waits for a locked table: other statements on the table wait behind it meanwhile. */
  lockTimeoutMilliseconds?: number
}): Promise<void> {
  const migrations = await readMigrations()
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(migrations, options)
    } catch (error) {
      if (!passing.has((error as { code?: string }).code ?? '') || tries === mostTries) throw error
      options.log('database: a table to be changed is locked; trying again')
      await wait(1_000)
    }
  }
}

/**
 * SQLSTATEs after which a migration is retried: a lock that was not granted in time (55P03), and a deadlock whose
 * victim was the migration (40P01).
 */
const passing = new Set(['55P03', '40P01'])
/**
 * Maximum number of attempts, which take a minute and a half: by then exports and forgotten transactions have ended.
 */
const mostTries = 15

async function migrateOnce(migrations: readonly Migration[], options: Parameters<typeof migrate>[0]): Promise<void> {
  const timeout = `${options.lockTimeoutMilliseconds ?? 5_000}ms`
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'sluice migrate' })
  await client.connect()
  try {
    await client.query(`set client_min_messages = warning; set lock_timeout = '${timeout}'`)
    await createLedger(client)
    const last = migrations.at(-1)!
    if (await adoptDevelopmentDatabase(client, migrations[0]!))
      options.log('The database of a development version was adopted as one of 0.1.0.')
    const before = await appliedOn(client)
    const waiting = migrationsToRun(migrations, before, options.release)
    const newer = newestBeyond(migrations, before)
    if (newer !== undefined)
      options.log(
        `The database is at migration ${newer}, and this release (${options.release}) knows them up to ${numberOf(last.name)}: it runs beside a newer one.`,
      )
    let applied = 0
    for (const migration of waiting) {
      // Another process that starts at the same moment may have been first.
      if (!(await apply(client, migration, userOf(options.appUrl)))) continue
      applied += 1
      options.debug?.(`database: ${migration.name}`)
    }
    if (applied > 0) options.log(`The database is at migration ${numberOf(last.name)} (${applied} applied).`)
    const libraryReady = await client.query("select to_regclass('graphile_worker._private_jobs') is not null as ready")
    if (waiting.length > 0 || !libraryReady.rows[0].ready)
      await withLock(client, () => runMigrations({ connectionString: options.ownerUrl }))
    // Created before anything is written: rows without a partition for their month go into the default partition, and
    // then that month's partition cannot be created any more. Under the lock, because two processes that start at once
    // would both create the same one.
    await withLock(client, () => client.query('select sluice_ensure_partitions(2)'))
    const first = await withLock(client, () => countOn(client))
    if (first)
      options.log(`The database was restored on another server: its transactions are numbered on from ${first}.`)
    await grant(client, userOf(options.appUrl))
  } finally {
    await client.end()
  }
}

/**
 * The schema of 0.1.0 and the migrations since, in the order in which they are applied.
 *
 * @throws when two migrations have the same number, or one does not name its oldest release.
 */
export async function readMigrations(from = folder): Promise<Migration[]> {
  const files = async (name: string, pattern: RegExp) =>
    (await readdir(join(from, name))).filter(file => pattern.test(file)).sort()
  const parts = (await files('schema', /^\d\d-[a-z-]+\.sql$/)).map(file => readFile(join(from, 'schema', file), 'utf8'))
  const names = await files('migrations', /^\d{4}_[a-z0-9_]+\.sql$/)
  const twice = names.find((name, at) => (names[at - 1] ?? schema).slice(0, 4) === name.slice(0, 4))
  if (twice) throw new Error(`db/migrations/${twice} has the number of another migration`)
  const later = names.map(async name => {
    const sql = await readFile(join(from, 'migrations', name), 'utf8')
    const oldestRelease = /^-- oldest-release: (\d+\.\d+\.\d+)$/m.exec(sql)?.[1]
    if (!oldestRelease) throw new Error(`db/migrations/${name} should begin with "-- oldest-release: x.y.z"`)
    return migrationOf(name, sql, oldestRelease)
  })
  return [migrationOf(schema, (await Promise.all(parts)).join('\n'), '0.1.0'), ...(await Promise.all(later))]
}

const migrationOf = (name: string, sql: string, oldestRelease: string): Migration => ({
  name,
  sql,
  sha256: createHash('sha256').update(sql).digest('hex'),
  oldestRelease,
})

/** Number of the newest migration that this release knows. */
export const ownSchemaVersion = async (): Promise<number> => numberOf((await readMigrations()).at(-1)!.name)

const numberOf = (name: string): number => Number.parseInt(name, 10)

/** Number of the newest applied migration that this release does not know; undefined when there is none. */
function newestBeyond(own: readonly Migration[], applied: readonly Applied[]): number | undefined {
  const known = new Set(own.map(({ name }) => name))
  const beyond = applied.filter(({ name }) => !known.has(name)).map(({ name }) => numberOf(name))
  return beyond.length > 0 ? Math.max(...beyond) : undefined
}

/** Migrations still to run; throws when the database and this release do not fit (pure). */
function migrationsToRun(own: readonly Migration[], applied: readonly Applied[], release: string): Migration[] {
  const known = new Map(own.map(migration => [migration.name, migration]))
  for (const { name, sha256, oldest_release } of applied) {
    const ours = known.get(name)
    if (ours && ours.sha256 !== sha256)
      throw new Error(
        `${name === schema ? 'db/schema' : `db/migrations/${name}`} was changed after it was applied to this database: undo the change and write a new migration`,
      )
    if (!ours && isNewer(oldest_release, release))
      throw new Error(
        `this database belongs to a newer Sluice (${name} needs at least ${oldest_release}, this is ${release}): start that release instead`,
      )
  }
  const done = new Set(applied.map(({ name }) => name))
  return own.filter(({ name }) => !done.has(name))
}

function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map(version => version.split('.').map(Number)) as [number[], number[]]
  const differing = left.findIndex((part, i) => part !== right[i])
  return differing >= 0 && left[differing]! > right[differing]!
}

async function createLedger(client: pg.Client): Promise<void> {
  await client.query(`
    begin;
    select pg_advisory_xact_lock(${lock});
    create table if not exists schema_migrations (
      name           text primary key,
      sha256         text not null,
      oldest_release text not null,
      applied_at     timestamptz not null default clock_timestamp()
    );
    commit`)
}

const appliedOn = async (client: pg.Client): Promise<Applied[]> =>
  (await client.query<Applied>('select name, sha256, oldest_release from schema_migrations')).rows

/** Adopts a development database. False if there is nothing to adopt, or another process was faster. */
async function adoptDevelopmentDatabase(client: pg.Client, schema: Migration): Promise<boolean> {
  if (!isDevelopmentDatabase(await appliedOn(client))) return false
  return withLock(client, async () => {
    const applied = await appliedOn(client)
    if (!isDevelopmentDatabase(applied)) return false
    await client.query(adoptionOf(applied, schema.sql))
    await recordAsApplied(client, schema)
    return true
  })
}

/** Applies a migration. False if another process was faster. */
async function apply(client: pg.Client, migration: Migration, user: string | undefined): Promise<boolean> {
  return withLock(client, async () => {
    const done = await client.query('select 1 from schema_migrations where name = $1', [migration.name])
    if (done.rowCount) return false
    await client.query(migration.sql)
    await recordAsApplied(client, migration)
    // In the same transaction: processes of the previous release continue to work while the next migrations run.
    const granted = await roleToGrant(client, user)
    if (granted) await client.query(grantsOnData(granted))
    return true
  })
}

const recordAsApplied = (client: pg.Client, { name, sha256, oldestRelease }: Migration) =>
  client.query('insert into schema_migrations (name, sha256, oldest_release) values ($1, $2, $3)', [
    name,
    sha256,
    oldestRelease,
  ])

async function withLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    // Another process may be migrating for longer than the lock timeout that protects writers from us.
    const { lock_timeout } = (await client.query<{ lock_timeout: string }>('show lock_timeout')).rows[0]!
    await client.query(
      `set local lock_timeout = 0; select pg_advisory_xact_lock(${lock}); set local lock_timeout = '${lock_timeout}'`,
    )
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const userOf = (url: string) => decodeURIComponent(new URL(url.replace(/^socket:/, 'postgres:')).username) || undefined

/** The role of the service, quoted; undefined where it is the owner itself. */
async function roleToGrant(client: pg.Client, user: string | undefined): Promise<string | undefined> {
  const owner = (await client.query<{ me: string }>('select current_user as me')).rows[0]!.me
  return !user || user === owner ? undefined : pg.escapeIdentifier(user)
}

const grantsOnData = (role: string): string => `
  grant usage on schema public to ${role};
  grant select, insert, update, delete on all tables in schema public to ${role};
  grant usage, select on all sequences in schema public to ${role};
  do $$ begin
    if to_regclass('events') is not null and to_regclass('event_seals') is not null then
      revoke update, delete, truncate on events, event_seals from ${role};
    end if;
  end $$;
  revoke insert, update, delete, truncate on schema_migrations from ${role}`

async function grant(client: pg.Client, user: string | undefined): Promise<void> {
  const role = await roleToGrant(client, user)
  if (!role) return
  // In one transaction under the lock: two processes that grant and revoke on one table at once make each other fail.
  await withLock(client, async () => {
    await client.query(`
      ${grantsOnData(role)};
      grant usage on schema graphile_worker to ${role};
      grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
      grant usage, select on all sequences in schema graphile_worker to ${role}`)
    // Each function by its name: the owner of the database can grant nothing on functions of extensions, and each
    // attempt raises a warning.
    const functions = await client.query<{ name: string }>(`
      select oid::regprocedure::text as name
        from pg_proc
       where pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and prokind = 'f'
         and proowner = current_user::regrole`)
    if (functions.rows.length > 0)
      await client.query(`grant execute on function ${functions.rows.map(({ name }) => name).join(', ')} to ${role}`)
    // The job queue's tables are closed to all but their owner by row security, and the service is not their owner.
    const closed = await client.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name
        from pg_tables
       where schemaname = 'graphile_worker' and rowsecurity
         and not exists (select from pg_policies p
                          where (p.schemaname, p.tablename) = (pg_tables.schemaname, pg_tables.tablename)
                            and p.policyname = 'the_service')`)
    for (const { name } of closed.rows)
      await client.query(`create policy the_service on ${name} to ${role} using (true) with check (true)`)
    const partitions = await client.query<{ name: string }>(
      "select format('%I', inhrelid::regclass::text) as name from pg_inherits where inhparent = 'events'::regclass",
    )
    if (partitions.rows.length > 0)
      await client.query(
        `revoke insert, update, delete, truncate on ${partitions.rows.map(({ name }) => name).join(', ')} from ${role}`,
      )
  })
}
