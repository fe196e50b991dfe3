import { inBatches } from '../db/batches.ts'
import type { Queries } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Job } from '../domain.ts'

/** A job of the queue as people see it. It keeps its id. */
const queued = sql`
  select sluice_uuid7_at(q.created_at, int8send(q.id)) as id, t.identifier collate "C" as job_class,
         coalesce(n.queue_name, 'default') collate "C" as queue,
         (case when q.locked_at is not null then 'running'
               when q.attempts >= q.max_attempts then 'error'
               else 'pending' end) collate "C" as status,
         q.attempts::integer as attempts, q.max_attempts::integer as maximum_attempts,
         q.last_error collate "C" as last_error, q.run_at, q.locked_at as started_at,
         case when q.locked_at is null and q.attempts >= q.max_attempts then q.updated_at end as finished_at,
         (q.payload ->> 'node_path') collate "C" as node_path, q.created_at
    from graphile_worker._private_jobs q
    join graphile_worker._private_tasks t on t.id = q.task_id
    left join graphile_worker._private_job_queues n on n.id = q.job_queue_id`

/**
 * Query of all background jobs: those in the queue, which is authoritative for them, and those that have succeeded,
 * which the queue deletes.
 */
export const everyJob: Sql = sql`
  ${queued}
   union all
  select f.id, f.job_class, f.queue, 'success' collate "C", f.attempts, f.maximum_attempts, null, f.run_at, f.started_at,
         f.finished_at, f.node_path, f.created_at
    from finished_jobs f
   where not exists (select from graphile_worker._private_jobs q
                      where sluice_uuid7_at(q.created_at, int8send(q.id)) = f.id)`

/**
 * Rows {status, count} of the queue. It is read completely: it contains waiting jobs and a month of jobs given up,
 * which are thousands, while a million jobs succeed per day.
 */
export const jobsInQueue = sql<{ status: string; count: number }>`
  select case when q.locked_at is not null then 'running' when q.attempts >= q.max_attempts then 'error' else 'pending' end as status,
         count(*) as count
    from graphile_worker._private_jobs q
   group by 1`

/** Creation time and id of each job, some of them twice: the content of the indexes, in their order. */
export const jobsInOrder: Sql = sql`
  select q.created_at, sluice_uuid7_at(q.created_at, int8send(q.id)) as id from graphile_worker._private_jobs q
   union all
  select f.created_at, f.id from finished_jobs f`

/** Records that a job of the queue has succeeded, before the queue deletes it. Repeated for a job that ran again. */
export const noteFinished = (queries: Queries, queueId: string): Promise<number> =>
  queries.count(sql`
    insert into finished_jobs (id, job_class, queue, attempts, maximum_attempts, run_at, started_at, finished_at, node_path,
                               created_at)
    select id, job_class, queue, attempts, maximum_attempts, run_at, started_at, clock_timestamp(), node_path, created_at
      from (${queued} where q.id = ${queueId}::bigint) j
        on conflict (id) do update
       set attempts = excluded.attempts, started_at = excluded.started_at, finished_at = excluded.finished_at`)

/**
 * Deletes those of these jobs that have succeeded or failed for good.
 *
 * @returns how many there were
 */
export async function removeJobs(queries: Queries, ids: readonly string[]): Promise<number> {
  const given = sql`${[...ids]}::uuid[]`
  const givenUp = await queries.rows(sql`
    select graphile_worker.complete_jobs(array(
             select q.id from graphile_worker._private_jobs q
              where q.attempts >= q.max_attempts and q.locked_at is null
                and sluice_uuid7_at(q.created_at, int8send(q.id)) = any(${given})))`)
  return givenUp.length + (await queries.count(sql`delete from finished_jobs where id = any(${given})`))
}

/**
 * Removes old jobs: successful ones after a day, those given up after a month: by then a person has looked at them, or
 * never will. With ten thousand Git remotes a day is a million jobs.
 */
export const deleteOldJobsJob: Job = {
  name: 'platform.forget_old_jobs',
  cron: '11 * * * *',
  run: async (_: never, { database, stopping }) => {
    await inBatches(stopping, most =>
      database.count(sql`
        delete from finished_jobs
         where id in (select id from finished_jobs where finished_at < sluice_now() - interval '1 day'
                       order by finished_at limit ${most})`),
    )
    await inBatches(stopping, async most => {
      const deleted = await database.rows(sql`
        select graphile_worker.complete_jobs(array(
                 select id from graphile_worker.jobs
                  where attempts >= max_attempts and locked_at is null and updated_at < sluice_now() - interval '30 days'
                  order by id limit ${most}))`)
      return deleted.length
    })
  },
}
