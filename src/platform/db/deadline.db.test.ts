import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { testDatabase } from '../../../tests/support/database.ts'
import { openDatabase } from './database.ts'
import { DeadlinePassed } from './deadline.ts'
import { sql } from './sql.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'deadline test', size: 2 })
const watching = openDatabase({ url: own.superuserUrl, name: 'watching', size: 1 })
after(async () => {
  await Promise.all([database.end(), watching.end()])
  await own.drop()
})

/** One expression within which PostgreSQL never looks whether it was cancelled: several seconds on any machine. */
const deaf = sql`
  select length(lower(upper(lower(repeat(repeat('ÄB', 2000), 10000) collate "und-x-icu"))))`
const inTime = { readOnly: true, deadline: 200 } as const

const working = async () =>
  (
    await watching.rows(sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'deadline test' and state = 'active'`)
  ).map(({ pid }) => pid)

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20)
}

test('a transaction is over at its deadline, though its backend is deaf to everything', async () => {
  let left = false
  const leave = () => {
    left = true
  }
  const gated = database.through({ enter: async () => leave })
  // The deadline counts from the transaction's start: a connection that is opened first could use it up.
  await database.rows(sql`select 1`)
  await assert.rejects(
    gated.transaction(tx => tx.rows(deaf), inTime),
    DeadlinePassed,
  )
  const [pid] = await working()
  assert.ok(pid, 'the backend works on, and its caller was answered')
  assert.equal(left, false, 'it keeps its place while it works')
  await until(async () => left)
  // It was terminated, since it had not obeyed within a second; PostgreSQL lists it for a moment longer.
  await until(async () => (await watching.rows(sql`select from pg_stat_activity where pid = ${pid}`)).length === 0)
  assert.deepEqual(await database.rows(sql`select 1 as one`), [{ one: 1 }])
})

test('a backend that obeys keeps its connection, which the next transaction has', async () => {
  const only = openDatabase({ url: own.appUrl, name: 'obeying', size: 1 })
  const pidOf = () => only.transaction(tx => tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`), inTime)
  const before = await pidOf()
  await assert.rejects(
    only.transaction(tx => tx.rows(sql`select pg_sleep(60)`), inTime),
    { code: '57014' },
  )
  assert.deepEqual(await pidOf(), before)
  await only.end()
})

test('many short statements are ended together, as one long one is', async () => {
  let sent = 0
  const asking = database.transaction(async tx => {
    for (;;) {
      await tx.rows(sql`select pg_sleep(0.01)`)
      sent += 1
    }
  }, inTime)
  await assert.rejects(asking, { code: '57014' })
  await until(async () => (await working()).length === 0)
  const atTheEnd = sent
  await wait(50)
  assert.equal(sent, atTheEnd, 'nothing more was sent')
})

test('single statements wait for the gate, one by one, and a failing one leaves it', async () => {
  let [inside, most] = [0, 0]
  const gated = database.through({
    enter: async () => {
      inside += 1
      most = Math.max(most, inside)
      return () => {
        inside -= 1
      }
    },
  })
  assert.deepEqual(await gated.one(sql`select 1 as one`), { one: 1 })
  await assert.rejects(gated.rows(sql`select 1 / 0`), { code: '22012' })
  await until(async () => inside === 0)
  assert.equal(most, 1)
})
