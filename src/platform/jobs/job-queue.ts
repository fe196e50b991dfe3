import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type JobHelpers, Logger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker'
import { isDatabaseAway } from '../db/connection-errors.ts'
import { type Connections, connectionsOf } from '../db/connections.ts'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Domain, Job, Log, Runtime } from '../domain.ts'
import type { EnqueueOptions } from './enqueue-options.ts'
import { noteFinished } from './finished-jobs.ts'
import { jobPool } from './job-pool.ts'

/**
 * Puts a job on the queue in the caller's transaction: it exists exactly if the transaction commits. At most one job
 * per `key` is queued: a second one replaces the first unless that already runs. `runAt` is an ISO time, `nodePath` the
 * node that it is shown with.
 */
export async function enqueue(tx: Tx, job: string, payload: object, options: EnqueueOptions = {}): Promise<void> {
  await tx.rows(sql`
    select graphile_worker.add_job(identifier => ${job},
                                   payload    => ${JSON.stringify(options.nodePath ? { ...payload, node_path: options.nodePath } : payload)}::json,
                                   job_key    => ${options.key ?? null}::text,
                                   run_at     => ${options.runAt ?? null}::timestamptz,
                                   priority   => ${options.afterPeople ? behindPeople : null}::integer)`)
}

/** Jobs at once, by their kind. */
const workers = { inside: 4, outside: 6, unattended: 3 } as const

/** Priority of jobs for which no person waits: the queue runs jobs with a lower number first; the default is 0. */
const behindPeople = 10

/** Milliseconds within which the queue stops, including five seconds for running jobs. */
const stopsWithin = 10_000
const poolEndsWithin = 2_000

export interface JobQueue {
  /** Names under which this process holds jobs; other processes free these jobs after its death. */
  readonly workerIds: readonly string[]
  /** Current connections. */
  connections(): Connections
  /** Waits for running jobs; jobs that do not end in 5 s go back to the queue, if the database can record that. */
  stop(): Promise<void>
}

/**
 * Runs the jobs of all domains in this process: four at once, in addition six that wait for other machines, and three
 * that no person waits for. Jobs run at least once, so each can be repeated.
 */
export async function workJobs(options: {
  url: string
  domains: readonly Domain[]
  runtime: Runtime
}): Promise<JobQueue> {
  const jobs = options.domains.flatMap(domain => domain.jobs ?? [])
  const workerIds: string[] = []
  const events = new EventEmitter()
  // Jobs are locked under the name of the pool, not of the worker that runs them.
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => workerIds.push(workerPool.id))
  const leaving = new AbortController()
  const pool = jobPool(options.url, options.runtime.log, leaving.signal)
  const working = (some: readonly Job[], concurrency: number): Promise<Runner> =>
    run({
      pgPool: pool,
      concurrency,
      pollInterval: 1_000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 5_000,
      logger: quietLogger(options.runtime.log),
      events: events as never,
      taskList: tasksOf(some, options.runtime),
      parsedCronItems: parseCronItems(
        some.flatMap(job => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
      ),
    })
  const runners: Runner[] = []
  const stop = async () => {
    const stopped = Promise.all(runners.map(runner => runner.stop()))
    const inTime = await Promise.race([stopped.then(() => true), pause(stopsWithin, false, { ref: false })])
    if (!inTime) options.runtime.log.warn({}, 'completion of the last jobs could not be recorded; they will run again')
    leaving.abort()
    // A connection that the library awaits without a limit does not come back.
    await Promise.race([pool.end(), pause(poolEndsWithin, undefined, { ref: false })])
  }
  try {
    const groups = Object.groupBy(jobs, job => (job.unattended ? 'unattended' : job.outside ? 'outside' : 'inside'))
    for (const [group, atOnce] of Object.entries(workers) as [keyof typeof workers, number][])
      if (groups[group]) runners.push(await working(groups[group], atOnce))
  } catch (error) {
    await stop()
    throw error
  }
  return { workerIds, connections: () => connectionsOf(pool), stop }
}

const tasksOf = (jobs: readonly Job[], runtime: Runtime): TaskList =>
  Object.fromEntries(
    jobs.map(job => [
      job.name,
      async (payload: unknown, { job: { id } }: JobHelpers) => {
        await whenDatabaseIsThere(job, payload, runtime)
        // The job is done: a failure to record that is no reason to repeat it.
        await noteFinished(runtime.database, id).catch(error =>
          runtime.log.warn(
            { err: error, job: job.name },
            'completion of a job could not be recorded; the job may run again',
          ),
        )
      },
    ]),
  )

/** Maximum number of tries, a second apart. */
const mostTries = 300

/**
 * Runs a job, and repeats it if the database went away meanwhile: that is no fault of the job. In the queue it would be
 * retried after a pause that grows with the number of its tries, soon minutes.
 */
async function whenDatabaseIsThere(job: Job, payload: unknown, runtime: Runtime): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await job.run(payload as never, runtime)
      return
    } catch (error) {
      if (!isDatabaseAway(error) || runtime.stopping.aborted || tries === mostTries) throw error
      runtime.log.warn({ err: error, job: job.name }, 'database connection lost during a job; the job will run again')
    }
    await pause(1_000, undefined, { signal: runtime.stopping }).catch(() => {})
  }
}

/** Logger for the library: only messages for an operator, and errors in the same form as all others. */
const quietLogger = (log: Log) =>
  new Logger(() => (level, message, { error, ...meta } = {}) => {
    const about = error === undefined ? meta : { ...meta, err: error }
    if (level === 'error') log.error(about, message)
    else if (level === 'warning') log.warn(about, message)
  })
