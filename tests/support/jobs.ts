import { Logger, runOnce } from 'graphile-worker'
import { record } from '../../src/domain/events/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { Domain, Runtime } from '../../src/platform/domain.ts'
import { enqueue } from '../../src/platform/jobs/job-queue.ts'
import type { TestDatabase } from './database.ts'

/** Runtime of jobs and loops in a test. */
export const aroundOf = (database: Database, stopping = new AbortController()): Runtime => ({
  database,
  enqueue,
  record,
  log: { info: () => {}, warn: () => {}, error: (about, line) => console.error(line, about) },
  stopping: stopping.signal,
})

/** Runs the due jobs, and those that they enqueue, until none is left; a job that throws fails the test. */
export async function runDueJobs(test: TestDatabase, domains: readonly Domain[], runtime: Runtime): Promise<void> {
  const failures: unknown[] = []
  const jobs = domains.flatMap(domain => domain.jobs ?? [])
  await runOnce({
    connectionString: test.appUrl,
    concurrency: 1,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(
      jobs.map(job => [
        job.name,
        (payload: unknown) =>
          job.run(payload as never, runtime).catch((error: unknown) => {
            failures.push(error)
            throw error
          }),
      ]),
    ),
  })
  if (failures.length > 0) throw failures[0]
}
