import { sql } from '#platform/db/sql.ts'
import { everyJob } from '#platform/jobs/finished-jobs.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

/** Work that the service does in the background: what waits, what runs, what was given up and what has gone well. */
export const jobResource: Resource = {
  type: 'job',
  describe: 'Work that the service does in the background.',
  from: sql`(${everyJob}) j`,
  id: sql`j.id`,
  lists: [{ path: '/api/admin/jobs' }],
  shows: [{ path: '/api/admin/jobs/:id', find: ({ id }) => sql<boolean>`j.id = ${id}::uuid` }],
  columns: {
    job_class: column.text(sql`j.job_class`, 'What is to be done: changes.prepare.'),
    queue: column.text(sql`j.queue`, 'Jobs of one queue run one after another; those of "default" as they come.'),
    status: column.oneOf(
      sql`j.status`,
      ['pending', 'running', 'success', 'error'],
      'pending until it is run, running, success, or error once it has been tried as often as it may.',
    ),
    attempts: column.integer(sql`j.attempts`, 'How often it was begun.'),
    maximum_attempts: column.integer(sql`j.maximum_attempts`, 'So often it is begun before it is given up.'),
    last_error: column.longTextOrNull(sql`j.last_error`, 'Why it failed the last time.'),
    run_at: column.time(sql`j.run_at`, 'It is not run before; of one that failed, when it is tried again.'),
    started_at: column.timeOrNull(sql`j.started_at`, 'When it was begun, of what runs and of what has gone well.'),
    finished_at: column.timeOrNull(sql`j.finished_at`, 'When it ended, or was given up.'),
    node_path: column.textOrNull(sql`j.node_path`, 'The node that it is about, if it is about one.'),
    created_at: column.time(sql`j.created_at`, 'When it was put into the queue.'),
  },
  links: row => ({ self: `/api/admin/jobs/${row.id}` }),
  limit: { default: 100, maximum: 1_000 },
  rights: { fixed: '/admin/jobs' },
}
