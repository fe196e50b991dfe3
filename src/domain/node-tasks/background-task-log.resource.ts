import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { columnsOfLog, linesOfLog } from '../logs/index.ts'

/** JSON:API resource of the log lines of background tasks, in the order of their attempts and of the lines in each. */
export const backgroundTaskLogResource: Resource = {
  ...linesOfLog,
  type: 'node_background_task_log_line',
  describe: 'A log line of a background task.',
  from: sql`node_background_tasks b join log_lines l on l.activity_id = b.id`,
  lists: [
    {
      path: '/api/node_background_task_log_lines',
      parent: (_, query) => sql`
        select id, path, project_id from node_background_tasks where id = ${String(query['node_background_task_id'])}::uuid`,
      scope: parent => sql<boolean>`b.id = ${parent.id}::uuid and l.step_id = ${parent.id}::uuid`,
      parameters: {
        node_background_task_id: {
          schema: Type.String({ format: 'uuid' }),
          describe: 'The background task whose lines are listed.',
          required: true,
        },
      },
    },
  ],
  columns: {
    message: columnsOfLog.message,
    category: columnsOfLog.category,
    template_version_history_id: {
      ...column.id(sql`b.template_version_history_id`, 'Version history entry of the node at the time of the request.'),
      nullable: true,
    },
    node_background_task_id: column.id(sql`b.id`, 'The task that wrote it.'),
    attempt: column.integer(sql`l.attempt`, 'The attempt of the task that wrote it; 0: before the first.'),
    sequence: column.integer(sql`l.seq`, 'Line number within the attempt, from 1.'),
    logged_at: columnsOfLog.logged_at,
  },
  rights: { projectId: sql`b.project_id`, path: sql`b.path` },
}
