import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrate.ts'
import { projectFolder } from './database-server.ts'

const release: string = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version
const password = 'test'

/**
 * The template of every test's database: migrated like a real one, with a clock that tests can move. Created once for
 * each state of the migrations, on each server; concurrent test files are serialized by a lock.
 */
export async function templateDatabase(superuserUrl: string): Promise<string> {
  const name = `template_${fingerprint()}`
  await withClient(superuserUrl, async admin => {
    if (await exists(admin, name)) return
    await holdRoles(admin)
    if (await exists(admin, name)) return
    await admin.query(`drop database if exists building with (force)`)
    await createEmpty(admin, 'building')
    const ownerUrl = roleUrl(superuserUrl, 'sluice_owner', 'building')
    await migrate({ ownerUrl, appUrl: roleUrl(superuserUrl, 'sluice_app', 'building'), release, log: () => {} })
    await withClient(databaseUrl(superuserUrl, 'building'), makeClockMovable)
    // Ended connections count for some more milliseconds, and a database in use cannot be renamed.
    await retryWhileInUse(() => admin.query(`alter database building rename to ${name}`))
  })
  return name
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const files = [
    'db/schema/*.sql',
    'db/migrations/*.sql',
    'src/platform/db/migrate.ts',
    'tests/support/template-database.ts',
  ]
  for (const file of globSync(files, { cwd: projectFolder }).sort()) {
    hash.update(file).update(readFileSync(join(projectFolder, file)))
  }
  hash.update(readFileSync(join(projectFolder, 'node_modules/graphile-worker/package.json')))
  return hash.digest('hex').slice(0, 16)
}

/** A database without a schema, which the caller drops. */
export const emptyDatabase = (superuserUrl: string, name: string): Promise<void> =>
  withClient(superuserUrl, async admin => {
    await holdRoles(admin)
    await createEmpty(admin, name)
  })

/** Takes the lock until the connection ends: creating a database changes shared roles. */
const holdRoles = (admin: pg.Client) => admin.query('select pg_advisory_lock(7314159266)')

async function createEmpty(admin: pg.Client, name: string): Promise<void> {
  await makeRoles(admin)
  await admin.query(`create database ${name} owner sluice_owner template template0 encoding 'UTF8'`)
}

async function exists(admin: pg.Client, database: string): Promise<boolean> {
  return (await admin.query('select from pg_database where datname = $1', [database])).rowCount === 1
}

export async function makeRoles(admin: pg.Client): Promise<void> {
  for (const role of ['sluice_owner', 'sluice_app']) {
    const known = await admin.query('select from pg_roles where rolname = $1', [role])
    await admin.query(`${known.rowCount ? 'alter' : 'create'} role ${role} login password '${password}'`)
  }
}

/**
 * `sluice_now()` keeps its oid, so every default and function that calls it now reads the movable clock: the real
 * function, under another name, plus an offset.
 */
async function makeClockMovable(superuser: pg.Client): Promise<void> {
  const real = await superuser.query(`select pg_get_functiondef('public.sluice_now()'::regprocedure) as source`)
  const source = (real.rows[0].source as string).replace('public.sluice_now()', 'testing.real_now()')
  await superuser.query(`
    create schema testing;
    create table testing.clock (ahead interval not null);
    insert into testing.clock values ('0');
    grant usage on schema testing to public;
    grant select, update on testing.clock to public;
    ${source};
    create or replace function public.sluice_now() returns timestamptz
      language sql volatile parallel safe
      as $$ select testing.real_now() + (select ahead from testing.clock) $$;
  `)
}

/** 55006: object in use. */
export async function retryWhileInUse(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 500) throw error
      await wait(10)
    }
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'test support' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function databaseUrl(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

export function roleUrl(superuserUrl: string, role: string, database: string): string {
  const url = new URL(databaseUrl(superuserUrl, database))
  url.username = role
  url.password = password
  return url.href
}
