import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'

interface Facts {
  readonly id: string
  readonly version: string
  readonly bytes: number
  readonly connections: number
  readonly maximum_connections: number
  readonly oldest_transaction_seconds: number | null
  readonly newest_migration: string
  readonly in_recovery: boolean
}

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal('database'),
    attributes: Type.Object({
      version: Type.String({ description: 'Of PostgreSQL.' }),
      bytes: Type.Integer({ description: 'What it takes on disk.' }),
      connections: Type.Integer({ description: 'To this database, at this moment.' }),
      maximum_connections: Type.Integer({ description: 'To the whole server.' }),
      oldest_transaction_seconds: Type.Union([Type.Number(), Type.Null()], {
        description: 'How long the oldest transaction has been open: while it is, no dead row can be removed.',
      }),
      newest_migration: Type.String(),
      in_recovery: Type.Boolean({ description: 'Whether it is a replica.' }),
    }),
    links: Type.Object({ self: Type.String() }),
  }),
})

/** GET /api/admin/database: the state of the database for an operator. */
export const databaseView: AnyView = view({
  name: 'database.show',
  summary: 'The database: its version and size, connections, and how old its oldest transaction is',
  method: 'GET',
  paths: ['/api/admin/database'],
  answer,
  find: async () => ({}),
  needs: () => [{ right: 'read', path: '/admin/database' }],
  run: async (_, { database }) => {
    const { id, ...attributes } = (await database.one(sql<Facts>`
      select i.id, current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
             (select count(*) from pg_stat_activity where datname = current_database()) as connections,
             current_setting('max_connections')::int as maximum_connections,
             (select extract(epoch from max(clock_timestamp() - xact_start))::float8 from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid()) as oldest_transaction_seconds,
             (select max(name) from schema_migrations) as newest_migration, pg_is_in_recovery() as in_recovery
        from installation i`))!
    const links = { self: '/api/admin/database' }
    return { body: { data: { id, type: 'database', attributes, links } }, headers: { 'cache-control': 'no-store' } }
  },
})
