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
 * Starts what may start: at once when told that something changed, and looking for itself each second,
 * which is well within the 30 seconds that are promised.
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
 * The limits of the pools follow the settings as they are when this is worked: one at a time, so that the last of several
 * has read what was written last.
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
 * Admits activities one by one, after one of several has undone the beginning of all. It is known which when each
 * begins alone: the others begin, and it is left alone for a while. Those behind it come at once: with a look for each
 * that fails, a few hundred of them would be in turn again before anything else.
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
      // A failure of the pool, not of an activity in it.
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
 * Takes slots back from activities that have been waiting for a while; a wait that is over soon keeps its slot and its
 * runner.
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
