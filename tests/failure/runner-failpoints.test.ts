import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { failpoints as ofRunner } from '../../runner/failpoints.ts'
import { broken } from './promises.ts'
import { readWitness } from './witness.ts'
import { FailureWorld, longTimeout } from './world.ts'

/** Possible outcomes of a change of two steps when its runner dies in the first. */
const fates: Record<keyof typeof ofRunner, { restart: string; error: string }> = {
  'supervisor-started': { restart: 'success', error: 'success' },
  'run-received': { restart: 'success', error: 'error' },
  'body-spawned': { restart: 'success', error: 'error' },
  'body-wrote': { restart: 'success', error: 'error' },
  'log-spooled': { restart: 'success', error: 'error' },
  'body-exited': { restart: 'success', error: 'error' },
  // The service reads the messages in the spool.
  'result-spooled': { restart: 'success', error: 'success' },
  // By then it may have claimed the second step, without having received it.
  'result-sent': { restart: 'success', error: 'success error' },
  'all-acknowledged': { restart: 'success', error: 'success' },
  'cancel-heard': { restart: 'cancelled', error: 'cancelled' },
  // The runner lives, and its next executor gets the request again.
  'copy-unpacked': { restart: 'success', error: 'success' },
  'left-collected': { restart: 'success', error: 'success' },
}

/** Another change to reach the failpoint, if one of two plain steps does not. */
const passing: Partial<Record<string, string>> = { 'cancel-heard': 'lingering', 'left-collected': 'keeping' }

test('a runner that was started for its change, and is killed at any failpoint: its step fails', longTimeout, () =>
  walk('error', { spares: 0 }),
)

test(
  'one that stood ready, and is killed at any failpoint: with on_runner_lost: restart its step runs again',
  longTimeout,
  () => walk('restart', { spares: 1 }),
)

async function walk(how: 'error' | 'restart', { spares }: { spares: number }): Promise<void> {
  const world = await FailureWorld.make({ span: 2, assets: 1, spares })
  try {
    for (const [point, { [how]: ends }] of Object.entries(fates)) {
      if (spares > 0) await world.spareIsReady()
      world.arm(point)
      const cancelled = ends === 'cancelled'
      const id = await world.change({ action: passing[point] ?? 'short', restart: how === 'restart' })
      world.expected.set(id, { ends: ends.split(' '), undisturbed: false })
      if (cancelled) await world.cancel(id)
      await until(`${point} is reached`, async () => world.isReached(point), Boolean, { seconds: 40, pause: 20 })
      await world.ended([id])
      world.forget(point)
    }
    await world.runnersAreGone()
    assert.deepEqual(await broken(world.database, world.expected, readWitness(world.witness)), [])
  } finally {
    assert.deepEqual(await world.remove(), [])
  }
}
