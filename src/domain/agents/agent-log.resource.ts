import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { columnsOfLog, linesOfLog } from '../logs/index.ts'
import { nodeByPath, pathsOfType } from '../nodes/index.ts'

/** Lines of an agent's log, over all of its starts: it is stored under the id of its status. */
export const agentLogResource: Resource = {
  ...linesOfLog,
  type: 'agent_log_line',
  describe: 'A log line of an agent.',
  from: sql`agent_statuses s join nodes n on n.id = s.node_id join log_lines l on l.activity_id = s.id`,
  where: sql<boolean>`n.destroyed_at is null`,
  lists: pathsOfType.agent.map(path => ({
    path: `/api${path}/status/log_lines`,
    parent: nodeByPath,
    scope: agent => sql<boolean>`
      s.node_id = ${agent.id}::uuid
      and l.step_id = (select own.id from agent_statuses own where own.node_id = ${agent.id}::uuid)`,
  })),
  columns: {
    message: columnsOfLog.message,
    category: columnsOfLog.category,
    agent_path: column.text(sql`n.path`, 'The agent that wrote it.'),
    attempt: column.integer(sql`l.attempt`, 'Start of the agent that wrote it.'),
    sequence: column.integer(sql`l.seq`, 'Line number within that start, from 1.'),
    logged_at: columnsOfLog.logged_at,
  },
  rights: { projectId: sql`n.project_id`, path: sql`n.path` },
}
