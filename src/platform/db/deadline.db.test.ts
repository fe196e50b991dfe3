import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
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
  let pid = 0
  const stopped = gated.transaction(async tx => {
    pid = (await tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`))!.pid
    process.kill(pid, 'SIGSTOP')
    await tx.rows(sql`select 1`)
  }, inTime)
  try {
    await assert.rejects(stopped, DeadlinePassed)
    assert.equal(left, false, 'it keeps its place while its backend is there')
    await until(async () => waitingSignals(pid).has(constants.signals.SIGTERM))
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await until(async () => left)
  // PostgreSQL lists a terminated backend for a moment longer.
  await until(async () => (await watching.rows(sql`select from pg_stat_activity where pid = ${pid}`)).length === 0)
  assert.deepEqual(await database.rows(sql`select 1 as one`), [{ one: 1 }])
})

/** Numbers of the signals that a stopped process will see when it continues. */
function waitingSignals(pid: number): Set<number> {
  const [, mask] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^ShdPnd:\s*([0-9a-f]+)$/m)!
  const bits = BigInt(`0x${mask}`)
  return new Set(Array.from({ length: 64 }, (_, i) => i + 1).filter(number => (bits >> BigInt(number - 1)) & 1n))
}

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
