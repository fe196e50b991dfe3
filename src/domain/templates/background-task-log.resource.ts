import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

/** What background tasks have written, line by line, in the order of their attempts and of the lines in each. */
export const backgroundTaskLogResource: Resource = {
  type: 'node_background_task_log_line',
  describe: 'A line that a background task has written.',
  id: sql`l.id`,
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
  shows: [],
  columns: {
    message: column.text(sql`l.message collate "C"`, 'The line.'),
    category: column.text(sql`l.category`, 'stdout, stderr, action, or runner for what Sluice says.'),
    template_version_history_id: {
      ...column.id(sql`b.template_version_history_id`, 'The time of its node in which the task was asked for.'),
      nullable: true,
    },
    node_background_task_id: column.id(sql`b.id`, 'The task that wrote it.'),
    attempt: column.integer(sql`l.attempt`, 'The attempt of the task that wrote it; 0: before the first.'),
    sequence: column.integer(sql`l.seq`, 'Its number within the attempt, from 1.'),
    logged_at: column.time(sql`l.logged_at`, 'When it was written.'),
  },
  links: () => ({}),
  order: 'newest last',
  defaultSort: [
    { column: 'attempt', direction: 'desc' },
    { column: 'sequence', direction: 'desc' },
  ],
  limit: { default: 10_000, maximum: 10_000 },
  large: true,
  listRightsPath: parent => parent?.path ?? '/',
  rights: { projectId: sql`b.project_id`, path: sql`b.path` },
}
