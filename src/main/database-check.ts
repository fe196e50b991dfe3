import pg from 'pg'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'

const manual = 'docs/operations/database.md says how it is set up.'

/**
 * Checks what the service needs of an external database, so that a mistake in its setup is found at the start.
 *
 * @param variable the variable that names the database; its value may contain a password and is never repeated
 * @throws CannotStart with the fault and the remedy
 */
export async function checkNamedDatabase(variable: string, url: string): Promise<void> {
  await withClients(variable, url, async (one, other) => {
    const { rows } = await one.query('show server_version_num')
    const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
    if (major < 15)
      throw new CannotStart(`The database that ${variable} names is PostgreSQL ${major}, and Sluice needs 15 or newer.`)
    if (await sharesConnections(one, other))
      throw new CannotStart(
        `${variable} leads through a pooler that gives each transaction another connection (pool_mode = transaction or statement). Sluice prepares statements and sets timeouts for a connection. Set pool_mode = session, or name the server itself. ${manual}`,
      )
  })
}

/**
 * Checks that a role may change the schema.
 *
 * @throws CannotStart that names each missing right and the statement that grants it
 */
export async function checkOwner(variable: string, url: string): Promise<void> {
  await withClients(variable, url, async client => {
    const { rows } = await client.query<Rights>(rightsOfOwner)
    const { role, database, may_create_schemas, may_create_tables, foreign_owner } = rows[0]!
    const [roleName, databaseName] = [role, database].map(pg.escapeIdentifier) as [string, string]
    const missing = [
      !may_create_schemas && `grant create on database ${databaseName} to ${roleName}`,
      !may_create_tables && `grant usage, create on schema public to ${roleName}`,
      foreign_owner !== null && `grant ${pg.escapeIdentifier(foreign_owner)} to ${roleName}`,
    ].filter(each => each !== false)
    if (missing.length === 0) return
    const other =
      variable === 'SLUICE_DATABASE_URL'
        ? 'Name a role that may in SLUICE_DATABASE_DIRECT_URL'
        : 'Name the owner of the database there'
    throw new CannotStart(
      `The role ${role} of ${variable} may not change the schema of the database. ${other}, or run as a superuser: ${missing.join('; ')}. ${manual}`,
    )
  })
}

interface Rights {
  role: string
  database: string
  /** Whether the role may create schemas, since the job queue has one of its own. */
  may_create_schemas: boolean
  may_create_tables: boolean
  /**
   * A role that owns tables of Sluice which our role may not alter; other tables in the same database do not matter.
   */
  foreign_owner: string | null
}

const rightsOfOwner = `
  select current_user as role, current_database() as database,
         has_database_privilege(current_database(), 'create') or to_regnamespace('graphile_worker') is not null
           as may_create_schemas,
         has_schema_privilege('public', 'usage') and has_schema_privilege('public', 'create') as may_create_tables,
         (select tableowner
            from pg_tables
           where (schemaname = 'graphile_worker' or schemaname = 'public' and tablename = 'schema_migrations')
             and not pg_has_role(tableowner, 'usage')
           limit 1) as foreign_owner`

/**
 * Whether two clients are given the same server connection, or one client two. A pooler in transaction mode gives the
 * connection that was used last to the next client that begins a transaction.
 */
async function sharesConnections(one: pg.Client, other: pg.Client): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    const before = await serverProcess(one)
    try {
      await other.query('begin')
    } catch {
      // pool_mode = statement does not allow transactions of several statements.
      return true
    }
    const beside = await serverProcess(other)
    const shared = beside === before || (await serverProcess(one)) !== before
    await other.query('rollback')
    if (shared) return true
  }
  return false
}

const serverProcess = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

async function withClients(
  variable: string,
  url: string,
  work: (one: pg.Client, other: pg.Client) => Promise<void>,
): Promise<void> {
  const clients = [1, 2].map(
    () => new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 }),
  ) as [pg.Client, pg.Client]
  // A broken connection fails its statement and also emits an error, which needs a listener.
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) await client.connect()
    await work(...clients)
  } catch (error) {
    if (error instanceof CannotStart) throw error
    throw new CannotStart(`The database that ${variable} names cannot be used: ${(error as Error).message || error}.`)
  } finally {
    await Promise.allSettled(clients.map(client => client.end()))
  }
}
