import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

export const sharings = ['private', 'everyone'] as const

/**
 * JSON:API resource of a saved view. Users see their own and those that are shared with everyone; superusers see all, as of
 * every kind of record.
 */
export const savedViewResource: Resource = {
  type: 'saved_view',
  describe: 'Query of a list, saved under a name.',
  from: sql`saved_views v`,
  id: sql`v.id`,
  lists: [{ path: '/api/saved_views' }],
  shows: [{ path: '/api/saved_views/:id', find: ({ id }) => sql<boolean>`v.id = ${id}::uuid` }],
  columns: {
    name: column.text(sql`v.name`, 'Name of the view.'),
    list: column.text(sql`v.list`, 'List that the query is for, such as activities.'),
    query: column.text(sql`v.query`, 'Filters, sorting and columns, as a query string of the client that saved it.'),
    shared_with: column.oneOf(sql`v.shared_with`, sharings, 'private or everyone.'),
    created_by: column.text(sql`v.created_by`, 'Owner.'),
    created_at: column.time(sql`v.created_at`, 'When it was created.'),
    updated_at: column.time(sql`v.updated_at`, 'When it was last updated.'),
  },
  extra: { owner_id: sql`v.user_id` },
  named: createdByCaller(sql`v.user_id`),
  links: row => ({ self: `/api/saved_views/${row.id}` }),
  meta: (row, { actor }) => ({
    can: row['owner_id'] === actor.userId || actor.rights.superuser ? ['update', 'delete'] : [],
  }),
  // The token of a step or an agent sees none, nor does a blocked user.
  rights: {
    condition: ({ userId, via, rights }) =>
      via === 'attempt' || via === 'agent' || rights.blocked
        ? sql<boolean>`false`
        : sql<boolean>`(v.user_id = ${userId}::uuid or v.shared_with = 'everyone' or ${sql.lit(rights.superuser)})`,
  },
  rowVersion: sql<number>`v.row_version`,
}
