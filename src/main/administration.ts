import Type from 'typebox'
import { sql } from '../platform/db/sql.ts'
import { type AnyView, type Domain, view } from '../platform/domain.ts'
import { release } from './release.ts'

/** Views of the installation as a whole: whether it is alive, and ready. */

const status = Type.Object({ status: Type.String() })

/**
 * Liveness of this process. Does not query the database: a process is not restarted because PostgreSQL is unavailable.
 */
const healthcheck: AnyView = view({
  name: 'healthcheck',
  summary: 'Returns 200 while this process serves requests',
  method: 'GET',
  paths: ['/api/healthcheck'],
  answer: status,
  public: true,
  find: async () => ({}),
  needs: () => [],
  run: async () => ({ body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } }),
})

/** Readiness: the database answers and has this release's schema. */
const readiness: AnyView = view({
  name: 'readiness',
  summary: 'Returns 200 when the database is reachable and its schema is current',
  method: 'GET',
  paths: ['/api/readiness'],
  answer: status,
  public: true,
  find: async () => ({}),
  needs: () => [],
  run: async (_, { database }) => {
    await database.one(sql`select 1 from schema_migrations limit 1`)
    return { body: { status: 'ready', version: release() }, headers: { 'cache-control': 'no-store' } }
  },
})

export const administrationDomain: Domain = { name: 'administration', views: [healthcheck, readiness] }
