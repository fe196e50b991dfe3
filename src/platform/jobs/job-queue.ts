import { EventEmitter } from 'node:events'
import { Logger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Around, Domain, Log } from '../domain.ts'

/**
 * Puts a job on the queue in the caller's transaction: it exists exactly if the transaction commits. `key` names what
 * may be queued only once: a second one replaces the first unless that already runs. `runAt` is an ISO time.
 */
export async function enqueue(
  tx: Tx,
  job: string,
  payload: object,
  options: { key?: string; runAt?: string } = {},
): Promise<void> {
  await tx.rows(sql`
    select graphile_worker.add_job(identifier => ${job},
                                   payload    => ${JSON.stringify(payload)}::json,
                                   job_key    => ${options.key ?? null}::text,
                                   run_at     => ${options.runAt ?? null}::timestamptz)`)
}

export interface JobQueue {
  /** Names under which this process holds jobs, for whoever frees them after its death. */
  readonly workerIds: readonly string[]
  /** Waits for running jobs; what does not end in 5 s goes back to the queue. */
  stop(): Promise<void>
}

/** Works the jobs of all domains in this process, four at once. Jobs are at-least-once: each is written to be repeated. */
export async function workJobs(options: {
  url: string
  domains: readonly Domain[]
  around: Around
}): Promise<JobQueue> {
  const jobs = options.domains.flatMap(domain => domain.jobs ?? [])
  const taskList: TaskList = Object.fromEntries(
    jobs.map(job => [job.name, (payload: unknown) => job.run(payload as never, options.around)]),
  )
  const workerIds: string[] = []
  const events = new EventEmitter()
  events.on('worker:create', ({ worker }: { worker: { workerId: string } }) => workerIds.push(worker.workerId))
  // The library's own pool has no listener for errors any more while it ends, and is said to have ended while its
  // connections still close: PostgreSQL, stopped right after, then ended this process with an unhandled error.
  const pool = new pg.Pool({ connectionString: options.url, max: 6, application_name: 'sluice jobs' })
  const broken = (error: Error) => options.around.log.warn({ err: error }, 'a connection of the job queue broke')
  pool.on('error', broken)
  // One that breaks while it is in use tells its client alone; without a listener that would end this process.
  pool.on('connect', client => client.on('error', broken))
  const runner: Runner = await run({
    pgPool: pool,
    concurrency: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: 5_000,
    logger: quietLogger(options.around.log),
    events: events as never,
    taskList,
    parsedCronItems: parseCronItems(
      jobs.flatMap(job => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
    ),
  })
  return {
    workerIds,
    stop: async () => {
      await runner.stop()
      await pool.end()
    },
  }
}

/** Only what an operator should see of the library's own talk. */
const quietLogger = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ ...meta }, message)
    else if (level === 'warning') log.warn({ ...meta }, message)
  })
