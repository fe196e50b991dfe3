import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { after, afterEach, beforeEach, test } from 'node:test'
import type { Database } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { runLoops } from '#platform/jobs/loops.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { until } from '../../../../client/sluice.ts'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { aroundOf } from '../../../../tests/support/jobs.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { timersLoops } from '../advance/timers.jobs.ts'
import { admissionLoop } from './admission.jobs.ts'
import { setSlotLimits } from './slot.store.ts'

const world = await engineWorld()
beforeEach(() => world.limit(1))
afterEach(async () => {
  await world.consistent()
  await world.clear()
})
after(() => world.end())

/** Processes that do of the background work what admission needs, until `work` has ended. */
async function withProcesses(databases: readonly Database[], work: () => Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const backoff = new RetryBackoff()
  const loops = [admissionLoop(world.parts, backoff), ...timersLoops(world.parts, backoff)]
  const domains = [{ name: 'steps', loops }]
  const running = databases.map(database => runLoops(domains, aroundOf(database, stopping)))
  try {
    await work()
  } finally {
    stopping.abort()
    await Promise.all(running)
  }
}

/** A process that no hint reaches: its line is down, or a pooler has swallowed it. */
const deaf = (): Database => ({ ...world.database, hints: new EventEmitter() })

const becomes = (id: string, status: string) =>
  until(
    `${id} is ${status}`,
    () => world.status(id),
    found => found === status,
    { pause: 20 },
  )

const finish = async (id: string) => {
  const [only] = await world.claim(id, await world.runnerOf(id))
  await world.report(only!)
}

test('without any hint a freed slot, a raised limit, an ended maintenance and a time that has come are found all the same', async () => {
  await withProcesses([deaf()], async () => {
    const first = await world.change(step('a'))
    const second = await world.change(step('a'))
    await becomes(first, 'running')
    assert.equal(await world.status(second), 'pending')
    await finish(first)
    await becomes(second, 'running')

    const third = await world.change(step('a'))
    await world.database.transaction(tx => setSlotLimits(tx, { runner: 2 }))
    await becomes(third, 'running')
    await finish(second)

    world.maintenance = 'enabled'
    const held = await world.change(step('a'))
    world.maintenance = 'disabled'
    await becomes(held, 'running')
    await finish(third)
    await finish(held)

    const waits = await world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')]))
    await becomes(waits, 'waiting')
    await world.moveClock('61 seconds')
    await becomes(waits, 'running')
  })
})

test('a hint starts the next at the moment that a slot is free: no process looks before its time', async () => {
  const first = await world.change(step('a'))
  const second = await world.change(step('a'))
  const loop = { ...admissionLoop(world.parts, new RetryBackoff()), every: 3_600_000 }
  const stopping = new AbortController()
  const running = runLoops([{ name: 'steps', loops: [loop] }], aroundOf(world.database, stopping))
  try {
    await becomes(first, 'running')
    await finish(first)
    await becomes(second, 'running')
  } finally {
    stopping.abort()
    await running
  }
})

test('while limits go up and down, several admitters never start one above the limit in force, and leave none idle', async () => {
  const most: number[] = []
  await withProcesses([deaf(), world.database, deaf()], async () => {
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) ids.push(await world.change(step('a'), { name: `n${at % 6}` }))
    for (const limit of [3, 1, 4, 0, 2]) {
      await world.database.transaction(async tx => {
        await setSlotLimits(tx, { runner: limit })
        tx.hint('admission')
      })
      const running = () =>
        world.database.rows(sql<{ id: string }>`select id from activities where status = 'running' order by number`)
      // Excess runners run out; missing ones are filled up.
      for (const { id } of (await running()).slice(limit)) await finish(id)
      await until(`${limit} run`, running, found => found.length === limit, { pause: 20 })
      const { used } = (await world.database.one(sql<{ used: number }>`
        select used from slot_pools where pool = 'runner'`))!
      most.push(used)
    }
    await world.database.transaction(tx => setSlotLimits(tx, { runner: 24 }))
    for (const id of ids) {
      if ((await world.status(id)) === 'success') continue
      await becomes(id, 'running')
      await finish(id)
    }
  })
  assert.deepEqual(most, [3, 1, 4, 0, 2])
})

test('a retry of what was cancelled as its last step succeeded ends well at once, and keeps no slot', async () => {
  const first = await world.change(step('a'))
  await world.admit()
  const [only] = await world.claim(first, await world.runnerOf(first))
  await world.cancel(first)
  await world.report(only!)
  assert.equal(await world.status(first), 'cancelled')
  const { id } = await world.retry(first)
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.activity(id)).holds_slot], ['success', false])
})
