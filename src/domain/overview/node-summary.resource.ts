import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column, Resource } from '#platform/jsonapi/resource.ts'
import { underNode } from '#platform/jsonapi/under.ts'
import { activityColumns } from '../changes/index.ts'
import { nodeTypes } from '../nodes/index.ts'

const joined = (given: Column): Column => ({ ...given, joined: true })

const taskActive = sql`exists (select from node_background_tasks b
                                where b.node_id = n.id and b.status_code in ('initializing', 'running'))`

/**
 * Nodes of all types in one list, in the bytewise order of their paths: a tree of nodes with what happens on each, in one
 * request. A record has the id of its node, and the rights are those of reading the node.
 */
export const nodeSummaryResource: Resource = {
  type: 'node_summary',
  describe: 'A node of any type with its place in the tree and what happens on it.',
  from: sql`nodes n`,
  joins: {
    // Looked up for each node of the page: unfinished activities of all nodes may be very many.
    live: sql`left join lateral (
                select count(*)::int as active, (count(*) filter (where a.n_waiting > 0))::int as waiting
                  from activities a
                 where a.node_id = n.id and not a.final) live on true`,
    // The newest one that has ended: there is no index on the end of activities of a node.
    last: sql`left join lateral (
                select a.reported_status, a.finished_at
                  from activities a
                 where a.node_id = n.id and a.final
                 order by a.created_at desc, a.id desc
                 limit 1) last on true`,
  },
  id: sql`n.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [{ path: '/api/nodes' }],
  shows: [],
  columns: {
    path: column.text(sql`n.path`, 'Path of the node.'),
    node_type: column.oneOf(sql`n.node_type`, nodeTypes, 'project, environment, asset or agent.'),
    depth: column.integer(
      sql`(case when n.parent_id is null then 1 when n.environment_id is null or n.environment_id = n.id then 2 else 3 end)`,
      'Depth in the tree: 1 for a project, 2 for its children, 3 for the assets of an environment.',
    ),
    code: { ...column.text(sql`n.code`, 'Code: its segment of the path.'), trigrams: true },
    name: { ...column.text(sql`n.name`, 'Display name.'), trigrams: true },
    archived: column.boolean(sql`n.archived`, 'Whether the node is archived.'),
    template_code: column.textOrNull(sql`n.template_code`, 'Assets and agents: code of the template.'),
    template_version: column.textOrNull(sql`n.template_version`, 'Assets and agents: current template version.'),
    task_active: column.boolean(taskActive, 'Whether a background task of the node is in progress.'),
    active_count: joined(column.integer(sql`live.active`, 'Number of unfinished activities on the node itself.')),
    waiting_count: joined(column.integer(sql`live.waiting`, 'Number of those with a step that waits.')),
    last_status: joined({
      ...activityColumns['status_code']!,
      sql: sql`last.reported_status`,
      nullable: true,
      describe: 'Status of the newest ended activity.',
    }),
    last_finished_at: joined(column.timeOrNull(sql`last.finished_at`, 'When that activity ended.')),
  },
  // One range, in the order of the list: `under` alone makes two.
  named: underNode(sql`n.path`, path => sql<boolean>`n.path >= ${path} and n.path < ${`${path}0`}`),
  links: row => ({ node: `/api${row['path']}` }),
  defaultSort: [{ column: 'path', direction: 'asc' }],
  limit: { default: 1_000, maximum: 10_000 },
  rights: { projectId: sql`n.project_id`, path: sql`n.path` },
}
