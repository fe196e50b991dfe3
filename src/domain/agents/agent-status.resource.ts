import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { nodePathOf, pathsOfType } from '../nodes/index.ts'

/** Builds of this agent's images. */
const builds = sql`node_background_tasks b where b.node_id = s.node_id and b.task_type = 'BuildAgentImageTask'`

/** JSON:API resource of whether an agent runs, and on which image. */
export const agentStatusResource: Resource = {
  type: 'agent_status',
  describe: 'Desired and actual state of an agent, and its images.',
  from: sql`agent_statuses s join nodes n on n.id = s.node_id`,
  id: sql`s.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: [],
  shows: pathsOfType.agent.map(path => ({
    path: `/api${path}/status`,
    find: params => sql<boolean>`n.path = ${nodePathOf(params)}`,
  })),
  columns: {
    desired_status: column.text(sql`s.desired_status`, 'Desired state: running or absent.'),
    status: column.text(sql`s.status`, 'Actual state: absent, initializing, running, stopping or error.'),
    image_build_status: column.text(
      // A cancelled build leaves the earlier state.
      sql`coalesce((select case when b.status_code = 'error' then 'error'
                                when b.status_code <> 'success' then 'building'
                                when not b.image_purged then 'ready' end
                      from ${builds} and b.status_code <> 'cancelled'
                     order by b.request_number desc limit 1), 'none')`,
      'State of its latest image: none, building, ready or error.',
    ),
    active_image_sha: column.textOrNull(
      sql`(select b.image_sha from ${builds} and b.id = s.build_task_id and s.status <> 'absent')`,
      'Image that it runs; null while it is not running.',
    ),
    newest_image_sha: column.textOrNull(
      sql`(select b.image_sha from ${builds} and b.status_code = 'success' order by b.request_number desc limit 1)`,
      'Image that was built last; null if there is none.',
    ),
  },
  extra: { node_path: sql`n.path` },
  relationships: {
    node: {
      kind: 'one',
      type: 'agent',
      sql: sql`s.node_id`,
      paths: 'own',
      describe: 'The agent.',
      related: row => `/api${row['node_path']}`,
    },
    referenced_build_agent_image_task: {
      kind: 'one',
      type: 'node_background_task',
      sql: sql`s.build_task_id`,
      paths: 'own',
      describe: 'The build of the image that it runs, or is to run.',
    },
    available_build_agent_image_tasks: {
      kind: 'many',
      type: 'node_background_task',
      sql: sql`array(select b.id from ${builds} and b.status_code = 'success' and not b.image_purged
                      order by b.request_number desc)`,
      describe: 'The builds whose images are there to be run, newest first.',
    },
  },
  links: row => {
    const self = `/api${row['node_path']}/status`
    return { self, log_lines: `${self}/log_lines` }
  },
  included: ['referenced_build_agent_image_task', 'available_build_agent_image_tasks'],
  rights: { projectId: sql`n.project_id`, path: sql`n.path` },
  rowVersion: sql<number>`s.row_version`,
}
