import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../client/sluice.ts'
import { moveClock, testDatabase } from '../../../tests/support/database.ts'
import { openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Job, Runtime } from '../domain.ts'
import { deleteOldJobsJob, everyJob } from './finished-jobs.ts'
import { enqueue, workJobs } from './job-queue.ts'

interface Shown {
  readonly job_class: string
  readonly status: string
  readonly attempts: number
  readonly last_error: string | null
  readonly node_path: string | null
}

test('a job is shown from its queueing on; once it went well for a day, and given up for thirty, with why', async () => {
  const made = await testDatabase()
  const database = openDatabase({ url: made.superuserUrl, name: 'test', size: 2 })
  const stopping = new AbortController()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const runtime: Runtime = { database, log, enqueue, stopping: stopping.signal, record: async () => {} }
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>()
  const jobs: Job[] = [
    { name: 'works', run: () => goOn },
    {
      name: 'fails',
      run: async () => {
        throw new Error('the mirror is gone')
      },
    },
  ]
  const shown = () => database.rows(sql<Shown>`select * from (${everyJob}) j order by job_class desc`)
  const statuses = async () => (await shown()).map(({ job_class, status }) => `${job_class} ${status}`)
  const are = (...expected: string[]) =>
    until(`they are ${expected}`, statuses, found => found.join() === expected.join(), { pause: 20 })
  await database.transaction(async tx => {
    await enqueue(tx, 'works', {}, { nodePath: '/projects/shop' })
    await enqueue(tx, 'fails', {})
    await tx.count(sql`update graphile_worker._private_jobs set max_attempts = 1`)
  })
  assert.deepEqual(await statuses(), ['works pending', 'fails pending'])
  const queue = await workJobs({ url: made.appUrl, domains: [{ name: 'test', jobs }], runtime })
  try {
    await are('works running', 'fails error')
    letGoOn()
    await are('works success', 'fails error')
    const [well, badly] = await shown()
    assert.deepEqual([well!.attempts, well!.last_error, well!.node_path], [1, null, '/projects/shop'])
    assert.deepEqual([badly!.attempts, badly!.node_path], [1, null])
    assert.match(badly!.last_error!, /the mirror is gone/)
    const after = async (interval: string) => {
      await moveClock(made, interval)
      await deleteOldJobsJob.run({} as never, runtime)
      return statuses()
    }
    assert.deepEqual(await after('23 hours'), ['works success', 'fails error'])
    assert.deepEqual(await after('2 hours'), ['fails error'])
    assert.deepEqual(await after('28 days'), ['fails error'])
    assert.deepEqual(await after('1 day'), [])
  } finally {
    letGoOn()
    stopping.abort()
    await queue.stop()
    await database.end()
    await made.drop()
  }
})
