import { sql } from '#platform/db/sql.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { usersPath } from '../users/index.ts'

/** JSON:API resource of a group of the directory, as last read. Policies are assigned to its name. */
export const groupResource: Resource = {
  type: 'group',
  describe: 'A group of the directory, as of the last refresh.',
  from: sql`directory_groups g`,
  id: sql`g.id`,
  lists: [{ path: '/api/groups' }],
  shows: [{ path: '/api/groups/:id', find: params => sql<boolean>`g.id = ${params['id']}::uuid` }],
  columns: {
    groupname: { kind: 'text', sql: sql`g.groupname`, describe: 'Name, as used in policy assignments.' },
    created_at: { kind: 'time', sql: sql`g.created_at`, describe: 'When it was first read.' },
    updated_at: { kind: 'time', sql: sql`g.updated_at`, describe: 'When it was last updated.' },
  },
  links: row => ({ self: `/api/groups/${row.id}` }),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  rights: { condition: ({ rights }) => sql<boolean>`${sql.lit(rights.may('read', usersPath))}` },
  listRightsPath: () => usersPath,
  rowVersion: sql<number>`g.row_version`,
}
