import { sql } from '#platform/db/sql.ts'
import { everyJob } from '#platform/jobs/finished-jobs.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

/** JSON:API resource of background jobs: waiting, running, given up and successful ones. */
export const jobResource: Resource = {
  type: 'job',
  describe: 'A background job of the service.',
  from: sql`(${everyJob}) j`,
  id: sql`j.id`,
  lists: [{ path: '/api/admin/jobs' }],
  shows: [{ path: '/api/admin/jobs/:id', find: ({ id }) => sql<boolean>`j.id = ${id}::uuid` }],
  columns: {
    job_class: column.text(sql`j.job_class`, 'Name of the task, such as changes.prepare.'),
    queue: column.text(sql`j.queue`, 'Jobs of one queue run one after another; those of "default" as they come.'),
    status: column.oneOf(
      sql`j.status`,
      ['pending', 'running', 'success', 'error'],
      'pending until it runs, running, success, or error after its last attempt.',
    ),
    attempts: column.integer(sql`j.attempts`, 'Number of attempts.'),
    maximum_attempts: column.integer(sql`j.maximum_attempts`, 'Maximum number of attempts.'),
    last_error: column.longTextOrNull(sql`j.last_error`, 'Error of the last attempt.'),
    run_at: column.time(sql`j.run_at`, 'Earliest time to run it; after a failure, the time of the next attempt.'),
    started_at: column.timeOrNull(sql`j.started_at`, 'When it started; set while it runs and after it has succeeded.'),
    finished_at: column.timeOrNull(sql`j.finished_at`, 'When it ended or was given up.'),
    node_path: column.textOrNull(sql`j.node_path`, 'Node that it relates to, if any.'),
    created_at: column.time(sql`j.created_at`, 'When it was queued.'),
  },
  links: row => ({ self: `/api/admin/jobs/${row.id}` }),
  limit: { default: 100, maximum: 1_000 },
  rights: { fixed: '/admin/jobs' },
}
