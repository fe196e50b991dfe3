import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { after, before, test } from 'node:test'
import { moveClock, type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { FailingLoops } from '../platform/jobs/failing-loops.ts'
import { registerProcess } from './service-process.ts'

let made: TestDatabase
let database: Database
before(async () => {
  made = await testDatabase()
  database = openDatabase({ url: made.ownerUrl, name: 'test', size: 2 })
})
after(async () => {
  await database.end()
  await made.drop()
})

const failing = new FailingLoops()
const register = (ready = async () => {}) =>
  registerProcess({
    database,
    role: 'all',
    release: 'test',
    schemaVersion: 1,
    keys: async () => {
      await ready()
      return { knows: 1, sealsWith: 1, nextRoot: 'next' }
    },
    userLoad: () => [],
    serving: () => {},
    jobWorkers: () => ['mine'],
    failingLoops: () => failing.now(),
    onError: error => assert.fail(String(error)),
  })

/** Inserts a job that a worker of this name has held for some seconds. */
async function held(worker: string, seconds: number): Promise<void> {
  await database.rows(sql`select graphile_worker.add_job('some', job_key => ${worker}::text)`)
  await database.count(sql`
    update graphile_worker._private_jobs
       set locked_by = ${worker}, locked_at = now() - make_interval(secs => ${seconds})
     where key = ${worker}`)
}

const stillHeld = async () =>
  (
    await database.rows(sql<{ locked_by: string }>`
      select locked_by from graphile_worker.jobs where locked_by is not null order by locked_by`)
  ).map(row => row.locked_by)

test('jobs of processes that died are freed, also of those that died before they could say which are theirs', async () => {
  await database.rows(sql`
    insert into service_processes (role, host, pid, release, job_workers)
    values ('all', ${hostname()}, 4194303, 'test', '{dead}')`)
  for (const [worker, seconds] of [
    ['dead', 1],
    ['nameless', 31],
    ['just begun', 1],
  ] as const)
    await held(worker, seconds)
  const process = await register()
  try {
    await held('mine', 3_600)
    await process.renew()
    assert.deepEqual(await stillHeld(), ['just begun', 'mine'])
  } finally {
    await process.stop()
  }
})

test('when the clock has leapt, no process takes the jobs of another that is only as late as itself', async () => {
  const [one, other] = [await register(), await register()]
  try {
    await held('mine', 3_600)
    await moveClock(made, '10 minutes')
    // Also by one that comes, on another host, before the others have noticed.
    await database.rows(sql`update service_processes set host = 'elsewhere' where id in (${one.id}, ${other.id})`)
    const third = await register()
    for (const process of [one, other, one, third]) await process.renew()
    await third.stop()
    assert.equal((await stillHeld()).includes('mine'), true)
    const left = await database.rows(sql`select from service_processes where id in (${one.id}, ${other.id})`)
    assert.equal(left.length, 2)
  } finally {
    for (const process of [one, other]) await process.stop()
  }
})

test('a process that stops in the middle of a heartbeat leaves no row of itself', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  let hold = async () => {}
  const process = await register(() => hold())
  const row = sql`select from service_processes where id = ${process.id}::uuid`
  hold = () => held
  const beating = process.renew()
  const stopping = process.stop()
  // Deleted at once, the row would be gone before the heartbeat looks for it.
  await Promise.race([stopping, database.rows(sql`select pg_sleep(0.2)`)])
  letGo()
  await Promise.all([beating, stopping])
  assert.deepEqual(await database.rows(row), [])
  await process.renew()
  assert.deepEqual(await database.rows(row), [], 'nor does a hint that comes late make one')
})

test('a process that cannot read the keys any more is alive all the same, and no other root key is counted on from it', async () => {
  let keyFile = async () => {}
  const process = await register(() => keyFile())
  try {
    await held('mine', 3_600)
    keyFile = () => Promise.reject(new Error('root.key is missing'))
    await moveClock(made, '40 seconds')
    await assert.rejects(process.renew(), /root\.key is missing/)
    const row = await database.one(sql<object>`
      select heartbeat_at > sluice_now() - interval '20 seconds' as alive, knows_key, seals_with, next_root
        from service_processes where id = ${process.id}::uuid`)
    assert.deepEqual(row, { alive: true, knows_key: 1, seals_with: 1, next_root: null })
    await database.rows(sql`update service_processes set host = 'elsewhere' where id = ${process.id}::uuid`)
    const other = await register()
    for (const each of [other, other]) await each.renew()
    await other.stop()
    assert.equal((await stillHeld()).includes('mine'), true)
  } finally {
    await process.stop()
  }
})

test('a process tells with its heartbeat which of its loops fail, and no more when they go well again', async () => {
  const one = await register()
  const told = async () =>
    (await database.one(sql<{ failing_loops: object[] }>`
      select failing_loops from service_processes where id = ${one.id}::uuid`))!.failing_loops
  assert.deepEqual(await told(), [])
  failing.failed('admission', new Error('no such column'), performance.now() - 3_000)
  failing.failed('admission', new Error('still no such column'))
  await one.renew()
  assert.deepEqual(await told(), [
    { loop: 'admission', failures: 2, failing_seconds: 3, error: 'still no such column' },
  ])
  failing.wentWell('admission')
  await one.renew()
  assert.deepEqual(await told(), [])
  await one.stop()
})
