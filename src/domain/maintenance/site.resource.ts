import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { runnersAt } from '../runners/index.ts'

const pool = Type.Object({
  pool: Type.String(),
  configured_limit: Type.Integer(),
  claimed_count: Type.Integer(),
})

/**
 * JSON:API resource of a site at which work is done, with its capacity: one for each installation that has not been
 * divided.
 */
export const siteResource: Resource = {
  type: 'site',
  describe: 'Site: a place where work is done, and its capacity.',
  from: sql`sites s`,
  id: sql`s.id`,
  lists: [{ path: '/api/admin/sites' }],
  shows: [{ path: '/api/admin/sites/:id', find: ({ id }) => sql<boolean>`s.id = ${id}::uuid` }],
  columns: {
    code: column.text(sql`s.code`, 'Name, as used by processes and pools.'),
    processes: column.integer(
      sql`(select count(*)::integer from service_processes p
            where p.site = s.code and p.heartbeat_at > sluice_now() - interval '30 seconds')`,
      'Service processes that serve this site now.',
    ),
    runners: column.integer(runnersAt(sql`s.code`), 'Number of runners.'),
    pools: {
      kind: 'json',
      showOnly: true,
      sql: sql`coalesce((
        select jsonb_agg(jsonb_build_object('pool', p.pool, 'configured_limit', p.configured_limit,
                                            'claimed_count', p.used) order by p.pool)
          from slot_pools p where p.site = s.code), '[]')`,
      describe: 'Slot pools; the resource slots list their holders.',
      schema: Type.Array(pool),
    },
    created_at: column.time(sql`s.created_at`, 'When it first appeared.'),
  },
  links: row => ({ self: `/api/admin/sites/${row.id}` }),
  rights: { fixed: '/admin/sites' },
}
