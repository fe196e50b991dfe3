import { sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nodeByPath } from './node.store.ts'
import { nodePathOf, nodePaths } from './node.ts'

/** JSON:API resource of a link stored at a node. */
export const bookmarkResource: Resource = {
  type: 'bookmark',
  describe: 'A link saved on a node.',
  from: sql`bookmarks b join nodes n on n.id = b.node_id`,
  id: sql`b.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [
    { path: '/api/bookmarks' },
    ...nodePaths.map(path => ({
      path: `/api${path}/bookmarks`,
      parent: nodeByPath,
      scope: (parent: { id: string }) => sql<boolean>`b.node_id = ${parent.id}::uuid`,
    })),
  ],
  shows: nodePaths.map(path => ({
    path: `/api${path}/bookmarks/:id`,
    find: params => sql<boolean>`b.id = ${params['id']}::uuid and n.path = ${nodePathOf(params)}`,
  })),
  columns: {
    description: { kind: 'text', sql: sql`b.description`, describe: 'Message text.' },
    url: { kind: 'text', sql: sql`b.url`, nullable: true, describe: 'Target of the link: http, https or mailto.' },
    created_by: { kind: 'text', sql: sql`b.created_by`, describe: 'User who created it.' },
    created_at: { kind: 'time', sql: sql`b.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`b.updated_at`, describe: 'When it was last updated.' },
  },
  extra: { node_path: sql`n.path` },
  named: createdByCaller(sql`b.user_id`),
  relationships: {
    parent: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', n.id, 'type', n.node_type)`,
      paths: 'own',
      describe: 'The node that it is kept at.',
      related: row => `/api${row['node_path']}`,
    },
  },
  links: row => ({ self: `/api${row['node_path']}/bookmarks/${row.id}`, parent: `/api${row['node_path']}` }),
  rights: { projectId: sql`b.project_id`, path: sql`b.path` },
  rowVersion: sql<number>`b.row_version`,
}
