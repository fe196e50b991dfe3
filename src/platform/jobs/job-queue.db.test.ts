import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../client/sluice.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Job, Runtime } from '../domain.ts'
import { enqueue, workJobs } from './job-queue.ts'

test('a job is held under a name that the queue tells, and a database that goes away under it costs a moment', async () => {
  const made = await testDatabase()
  const database = openDatabase({ url: made.superuserUrl, name: 'test', size: 2 })
  const stopping = new AbortController()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const runtime: Runtime = { database, log, enqueue, stopping: stopping.signal, record: async () => {} }
  const begun: string[] = []
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>()
  const away = Object.assign(new Error('the database system is shutting down'), { code: '57P01' })
  const job: Job = {
    name: 'some',
    run: async () => {
      begun.push('again')
      await goOn
      if (begun.length === 1) throw away
    },
  }
  const queue = await workJobs({ url: made.appUrl, domains: [{ name: 'test', jobs: [job] }], runtime })
  try {
    await database.transaction(tx => enqueue(tx, 'some', {}))
    const held = () =>
      database.rows(
        sql<{ locked_by: string | null }>`select locked_by from graphile_worker.jobs where locked_by is not null`,
      )
    const [row] = await until('it is held', held, rows => rows.length > 0, { pause: 20 })
    assert.ok(queue.workerIds.includes(row!.locked_by!), `${row!.locked_by} is none of ${queue.workerIds}`)
    await database.rows(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sluice jobs' and datname = current_database()`,
    )
    letGoOn()
    const left = () => database.rows(sql`select from graphile_worker.jobs`)
    await until('it is done', left, rows => rows.length === 0, { pause: 20 })
    assert.deepEqual(begun, ['again', 'again'])
  } finally {
    letGoOn()
    stopping.abort()
    await queue.stop()
    await database.end()
    await made.drop()
  }
})

test('however many jobs wait for others, those that do not are worked meanwhile', async () => {
  const made = await testDatabase()
  const database = openDatabase({ url: made.superuserUrl, name: 'test', size: 4 })
  const stopping = new AbortController()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const runtime: Runtime = { database, log, enqueue, stopping: stopping.signal, record: async () => {} }
  const answered = Promise.withResolvers<void>()
  let waiting = 0
  let worked = 0
  const jobs: Job[] = [
    {
      name: 'asks others',
      outside: true,
      run: async () => {
        waiting += 1
        await answered.promise
      },
    },
    {
      name: 'asks nobody',
      run: async () => {
        worked += 1
      },
    },
  ]
  const queue = await workJobs({ url: made.appUrl, domains: [{ name: 'test', jobs }], runtime })
  try {
    await database.transaction(async tx => {
      for (let count = 0; count < 20; count += 1) await enqueue(tx, 'asks others', {})
    })
    await until(
      'some wait',
      async () => waiting,
      now => now >= 4,
      { pause: 20 },
    )
    await database.transaction(tx => enqueue(tx, 'asks nobody', {}))
    await until(
      'the other is worked',
      async () => worked,
      now => now === 1,
      { pause: 20 },
    )
    assert.ok(waiting < 20)
  } finally {
    answered.resolve()
    stopping.abort()
    await queue.stop()
    await database.end()
    await made.drop()
  }
})
