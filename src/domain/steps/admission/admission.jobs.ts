import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import type { Job, Loop } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { type CarryingOn, retryOrGiveUp } from '../advance/retry-or-give-up.tx.ts'
import type { EngineParts, LateTreeParts, RunnerParts } from '../engine.port.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { idleSlots, type Maintenance, type PoolWithWork, poolsWithWork } from './admission.store.ts'
import { type Admission, beginAll, giveSlots, type NextPass } from './admit-batch.tx.ts'
import { moveAllHeads } from './name-queue.store.ts'
import { NoSlotsLeft, releaseSlot, setSlotLimits, takeTurn } from './slot.store.ts'

type AdmissionParts = LateTreeParts & Pick<EngineParts, 'maintenanceMode' | 'superusers'>

/**
 * Starts activities that can start: at once on a hint, and by polling each second, well within the 30 seconds that are
 * promised.
 */
export function admissionLoop(parts: AdmissionParts, backoff: RetryBackoff): Loop {
  return {
    name: 'admission',
    every: 1_000,
    hints: ['admission'],
    run: async ({ database, log, stopping }) => {
      const again = await admit(parts, { database, log, backoff })
      // An activity that could start is locked elsewhere: try again in a moment, not in a busy loop.
      if (again === 'soon') await pause(100, undefined, { signal: stopping }).catch(() => {})
      return again !== 'no'
    },
  }
}

/** The limits of the pools by the settings in force: pool → limit. */
export type SlotLimits = (queries: Queries) => Promise<Readonly<Record<string, number>>>

/**
 * Updates the limits of the pools by the current settings: one job at a time, so that the last of several reads what
 * was written last.
 */
export const limitsJob = (limits: SlotLimits): Job => ({
  name: 'steps.limits',
  run: async (_, { database }) => {
    await database.transaction(async tx => {
      await lockNamed(tx, 'slot limits')
      await setSlotLimits(tx, await limits(tx))
      tx.hint('admission')
    })
  },
})

export async function admit(parts: AdmissionParts, carrying: CarryingOn): Promise<NextPass> {
  const runtime = { ...carrying, doing: 'begin' }
  const { database, backoff } = runtime
  await Promise.all([moveAllHeads(database), giveBackIdleSlots(parts, { ...carrying, doing: 'give back' })])
  let again: NextPass = 'no'
  for (const pool of await poolsWithWork(database, backoff.postponed())) {
    const answer = await admitTo(parts, runtime, pool)
    if (again === 'no' || answer === 'now') again = answer
  }
  return again
}

/** Maximum number in one transaction: the last of them waits for the others. */
const batch = 20

async function admitTo(parts: AdmissionParts, runtime: CarryingOn, pool: PoolWithWork): Promise<NextPass> {
  try {
    return await admitSome(parts, runtime, pool, batch)
  } catch (error) {
    if (error instanceof NoSlotsLeft) return 'now'
    if (isDatabaseAway(error)) throw error
    return admitOneByOne(parts, runtime, pool)
  }
}

/**
 * Admits activities one by one, after a failure of one has rolled back the start of all in a batch. Started alone, the
 * faulty one is identified: the others start, and it is left alone for a while. Those behind it follow at once: with
 * one poll per failure, a few hundred faulty ones would be due again before anything else.
 */
async function admitOneByOne(parts: AdmissionParts, runtime: CarryingOn, pool: PoolWithWork): Promise<NextPass> {
  const failed: string[] = []
  for (let count = 0; count < batch; count += 1) {
    const others = { ...pool, postponed: [...pool.postponed, ...failed] }
    let only: string | undefined
    try {
      const answer = await admitSome(parts, runtime, others, 1, ({ id }) => {
        only = id
      })
      if (answer !== 'now') return answer === 'no' && failed.length > 0 ? 'soon' : answer
    } catch (error) {
      if (error instanceof NoSlotsLeft) return 'now'
      // A failure of the pool, not of one of its activities.
      if (only === undefined) throw error
      await retryOrGiveUp(parts, runtime, only, error)
      failed.push(only)
    }
  }
  return failed.length > 0 ? 'soon' : 'now'
}

async function admitSome(
  parts: AdmissionParts,
  { database, backoff, doing }: CarryingOn,
  which: PoolWithWork,
  most: number,
  beginning: (activity: Activity) => void = () => {},
): Promise<NextPass> {
  const begun: string[] = []
  const answer = await database.transaction(async tx => {
    begun.length = 0
    const [maintenance, pool] = await Promise.all([maintenanceNow(parts, tx), takeTurn(tx, which)])
    if (!pool) return 'no'
    const { steps_wait, postponed } = which
    const admission: Admission = {
      parts,
      tx,
      pool: { ...pool, steps_wait, postponed },
      maintenance,
      most,
      promised: [],
      anyEnded: false,
    }
    const answer = await beginAll(admission, activity => {
      begun.push(activity.id)
      beginning(activity)
    })
    await giveSlots(admission)
    return answer === 'no' && admission.anyEnded ? 'now' : answer
  })
  for (const id of begun) backoff.succeeded(id, doing)
  if (begun.length > 0) failpoint('admission-committed')
  return answer
}

async function maintenanceNow(
  parts: Pick<EngineParts, 'maintenanceMode' | 'superusers'>,
  tx: Tx,
): Promise<Maintenance> {
  const mode = await parts.maintenanceMode(tx)
  return { mode, superusers: mode === 'superuser_override' ? await parts.superusers(tx) : [] }
}

/**
 * Takes slots back from activities that have been waiting for a while; during a short wait an activity keeps its slot
 * and its runner.
 */
async function giveBackIdleSlots(parts: LateTreeParts, runtime: CarryingOn): Promise<void> {
  const { database, backoff, doing } = runtime
  const idle = await idleSlots(database, backoff.postponed())
  for (const { id } of idle) {
    try {
      await giveBackSlot(parts, database, id)
      backoff.succeeded(id, doing)
    } catch (error) {
      await retryOrGiveUp(parts, runtime, id, error)
    }
  }
}

const giveBackSlot = (parts: RunnerParts, database: Database, id: string): Promise<void> =>
  database.transaction(async tx => {
    const activity = await lockActivity(tx, id)
    if (activity?.status !== 'waiting' || !activity.holds_slot) return
    await parts.runners.letGo(tx, id)
    await releaseSlot(tx, activity)
    tx.hint('admission')
  })
