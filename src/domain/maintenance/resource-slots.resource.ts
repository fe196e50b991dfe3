import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { waitingTasksOf } from '../node-tasks/index.ts'
import { waitingActivitiesOf } from '../steps/for-maintenance.ts'

interface Slot {
  readonly slot: number
  readonly claimed_by: { readonly type: string; readonly id: string } | null
  readonly node_path: string
  readonly claimed_at: string
}

/** Limit and current use of the slots for each kind of work. */
export const resourceSlotsResource: Resource = {
  type: 'resource_slot_pool',
  describe: 'Limit of concurrent work of one kind on a site, and the work that holds its slots.',
  from: sql`slot_pools p`,
  id: sql`p.id`,
  lists: [{ path: '/api/admin/resource_slots' }],
  shows: [{ path: '/api/admin/resource_slots/:id', find: ({ id }) => sql<boolean>`p.id = ${id}::uuid` }],
  columns: {
    pool: column.text(sql`p.pool`, 'The kind of work: runner, actions_refresh, model, agent, image_build.'),
    site: column.text(sql`p.site`, 'Site.'),
    configured_limit: column.integer(
      sql`p.configured_limit`,
      'Maximum number of slots in use at once; a setting of the installation.',
    ),
    claimed_count: column.integer(
      sql`p.used`,
      'Slots in use; more than the limit after the limit was lowered, until they are released.',
    ),
    waiting_count: column.integer(
      sql`(${waitingActivitiesOf(sql`p.site`, sql`p.pool`)} + ${waitingTasksOf(sql`p.site`, sql`p.pool`)})`,
      'Number of activities waiting for a slot, for any reason.',
    ),
    slots: {
      kind: 'json',
      showOnly: true,
      sql: sql`coalesce((
        select jsonb_agg(jsonb_build_object(
                 'slot', c.slot, 'claimed_by', jsonb_build_object('type', c.holder_kind, 'id', c.holder_id),
                 'node_path', c.node_path,
                 'claimed_at', to_char(c.claimed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by c.slot)
          from slot_claims c
         where c.site = p.site and c.pool = p.pool), '[]')`,
      describe: 'Holder of each claimed slot; for holders that the caller may not read, only the time.',
      schema: Type.Array(Type.Object({}, { additionalProperties: true })),
      read: (slots, { actor }) =>
        (slots as readonly Slot[]).map(slot =>
          actor.rights.may('read', slot.node_path) ? slot : { ...slot, claimed_by: null, node_path: 'hidden' },
        ),
    },
    updated_at: column.time(sql`p.updated_at`, 'When its limit or its holders last changed.'),
  },
  links: row => ({ self: `/api/admin/resource_slots/${row.id}` }),
  defaultSort: [{ column: 'pool', direction: 'asc' }],
  rights: { fixed: '/admin/resource_slots' },
  rowVersion: sql<number>`p.row_version`,
}
