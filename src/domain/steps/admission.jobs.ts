import { setTimeout as pause } from 'node:timers/promises'
import { theService } from '#platform/actor.ts'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import { holdNamed } from '#platform/db/locks.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job, Loop } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { reached } from '#platform/failpoints.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { addToLog } from '../runners/index.ts'
import { activityLife } from './activity.lifecycle.ts'
import { type Activity, lockActivity, transitionActivity } from './activity.store.ts'
import { anyAdmissible, type Maintenance, nextAdmissible, type PoolWithWork, poolsWithWork } from './admission.store.ts'
import { advance, moveActivity, wantRunner } from './advance.ts'
import type { EngineParts } from './engine.ts'
import { moveAllHeads } from './name-queue.store.ts'
import { neighbourhoodOf } from './neighbourhood.store.ts'
import {
  claimSlots,
  holdSlots,
  NoSlotsLeft,
  releaseSlot,
  type SlotPool,
  setSlotLimits,
  takeTurn,
} from './slot.store.ts'
import { activityEvents } from './step-events.ts'
import { giveSlotToStep } from './step-slots.ts'

/**
 * Starts what may start (execution.md 2): at once when told that something changed, and looking for itself each second,
 * which is well within the 30 seconds that are promised.
 */
export const admissionLoop = (parts: EngineParts): Loop => ({
  name: 'admission',
  every: 1_000,
  hints: ['admission'],
  run: async ({ database, stopping }) => {
    const again = await admit(parts, database)
    // Somebody holds an activity that could start: looked at anew in a moment, not in a tight circle.
    if (again === 'soon') await pause(100, undefined, { signal: stopping }).catch(() => {})
    return again !== 'no'
  },
})

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
      await holdNamed(tx, 'slot limits')
      await setSlotLimits(tx, await limits(tx))
      tx.hint('admission')
    })
  },
})

export async function admit(parts: EngineParts, database: Database): Promise<'no' | 'now' | 'soon'> {
  await Promise.all([moveAllHeads(database), giveBackIdleSlots(parts, database)])
  let again: 'no' | 'now' | 'soon' = 'no'
  for (const pool of await poolsWithWork(database)) {
    const answer = await admitTo(parts, database, pool)
    if (again === 'no' || answer === 'now') again = answer
  }
  return again
}

/** At most so many in one transaction: the last of them waits for the others. */
const batch = 20

/** Those that a transaction lets begin, in a pool whose turn it has. */
interface Admission {
  readonly parts: EngineParts
  readonly tx: Tx
  readonly pool: SlotPool & { steps_wait: boolean }
  readonly maintenance: Maintenance
  /** They began, and get their slots when all others have begun as well (docs/adr/0070). */
  readonly promised: Activity[]
  /** One ended as it began, and others may have waited for its end. */
  anyEnded: boolean
}

async function admitTo(parts: EngineParts, database: Database, which: PoolWithWork): Promise<'no' | 'now' | 'soon'> {
  let started = 0
  try {
    const answer = await database.transaction(async tx => {
      started = 0
      const [maintenance, pool] = await Promise.all([maintenanceNow(parts, tx), takeTurn(tx, which)])
      if (!pool) return 'no'
      const admission: Admission = {
        parts,
        tx,
        pool: { ...pool, steps_wait: which.steps_wait },
        maintenance,
        promised: [],
        anyEnded: false,
      }
      const answer = await beginAll(admission, () => {
        started += 1
      })
      await giveSlots(admission)
      return answer === 'no' && admission.anyEnded ? 'now' : answer
    })
    if (started > 0) reached('admission-committed')
    return answer
  } catch (error) {
    if (error instanceof NoSlotsLeft) return 'now'
    throw error
  }
}

async function maintenanceNow(parts: EngineParts, tx: Tx): Promise<Maintenance> {
  const mode = await parts.maintenanceMode(tx)
  return { mode, superusers: mode === 'superuser_override' ? await parts.superusers(tx) : [] }
}

/**
 * Looks for the next while others are still beginning: the look is sent behind the statement that says that they run. Each
 * of them is taken to need a slot until that is known. No savepoint may stand within a beginning: to roll back to it would
 * undo what others have sent meanwhile.
 */
async function beginAll(admission: Admission, begun: () => void): Promise<'no' | 'now' | 'soon'> {
  const beginning: Promise<boolean>[] = []
  try {
    const answer = await beginEach(admission, beginning, begun)
    await Promise.all(beginning)
    return answer
  } finally {
    // Nothing is sent when the transaction has ended.
    await Promise.allSettled(beginning)
  }
}

async function beginEach(
  admission: Admission,
  beginning: Promise<boolean>[],
  begun: () => void,
): Promise<'no' | 'now' | 'soon'> {
  const { parts, tx, pool, maintenance } = admission
  const allBegan = async () => {
    for (const tookSlot of await Promise.all(beginning)) if (!tookSlot) pool.used -= 1
    beginning.length = 0
  }
  for (let started = 0; started < batch; started += 1) {
    if (pool.used >= pool.configured_limit) await allBegan()
    if (pool.used >= pool.configured_limit) {
      if (await anyAdmissible(tx, pool, maintenance)) await parts.record(tx, [poolIsFull(pool)])
      return 'no'
    }
    const activity = await nextAdmissible(tx, pool, maintenance)
    if (!activity) return (await anyAdmissible(tx, pool, maintenance)) ? 'soon' : 'no'
    // Of a change that begins more than its first step may want a slot, behind everybody else.
    pool.steps_wait ||= activity.per_step
    // Slots of steps are claimed at once, and what the others need is known by then.
    if (pool.steps_wait) await allBegan()
    const its = begin(admission, activity)
    its.catch(() => {})
    beginning.push(its)
    pool.used += 1
    if (pool.steps_wait) await allBegan()
    begun()
  }
  return 'now'
}

/** The last lock, and the last that is done: whoever ends an activity waits for the pool. */
async function giveSlots({ tx, pool, promised }: Admission): Promise<void> {
  if (promised.length === 0) return
  await holdSlots(tx, pool, promised.length)
  await claimSlots(tx, promised)
  reached('admission-before-commit')
}

/** Answers whether that took a slot. */
async function begin(admission: Admission, activity: Activity): Promise<boolean> {
  if (activity.status === 'queued') return resume(admission, activity)
  if (activity.status === 'pending') return start(admission, activity)
  return giveStepSlot(admission, activity)
}

/** Slot, status and event change together. One that begins by waiting takes its slot when it goes on. */
async function start(admission: Admission, pending: Activity): Promise<boolean> {
  const { parts, tx } = admission
  const root = pending.root_step_id
  if (!root) throw new Error(`activity ${pending.id} is pending without a tree`)
  const [started, known] = await Promise.all([
    transitionActivity(tx, pending, ['start']),
    neighbourhoodOf(tx, pending.id, [root]),
  ])
  await parts.record(tx, activityEvents(started, ['start'], theService))
  // A retry of what was cancelled as its last step succeeded: nothing is left to run.
  if (known.steps.get(root)?.status === 'success') {
    const events: NewEvent[] = []
    await moveActivity(parts, tx, started, ['succeed'], events)
    await parts.record(tx, events)
    admission.anyEnded = true
    return false
  }
  const { activity } = await advance(parts, tx, started, known, [{ what: 'turn', id: root }])
  admission.anyEnded ||= isFinal(activityLife, activity.status)
  if (activity.status !== 'running' || activity.kind !== 'change') return false
  return takeSlot(admission, activity)
}

async function resume(admission: Admission, queued: Activity): Promise<boolean> {
  const { tx } = admission
  const holdsSlot = await takeSlot(admission, await transitionActivity(tx, queued, ['resume']))
  tx.hint('steps')
  return holdsSlot
}

/** The change's, or that of its first step which has none. */
async function takeSlot(admission: Admission, activity: Activity): Promise<boolean> {
  if (activity.per_step) return giveStepSlot(admission, activity)
  await wantRunner(admission.parts, admission.tx, activity)
  admission.promised.push(activity)
  return true
}

/** At once: who comes next depends on how many steps of a change have theirs. */
async function giveStepSlot({ parts, tx, pool, promised }: Admission, activity: Activity): Promise<boolean> {
  await holdSlots(tx, pool, promised.length + 1)
  return giveSlotToStep(parts, tx, activity)
}

const poolIsFull = (pool: SlotPool): NewEvent => ({
  type: 'warn:resource_slot_pool:full',
  actor: theService,
  attributes: { pool: pool.pool, configured_limit: pool.configured_limit },
  throttle: { key: `resource_slot_pool:full:${pool.site}:${pool.pool}`, seconds: 3_600 },
})

/** What only waits keeps its slot and its runner for a while, in case it goes on soon. */
async function giveBackIdleSlots(parts: EngineParts, database: Database): Promise<void> {
  const idle = await database.rows(sql<{ id: string }>`
    select id
      from activities
     where status = 'waiting' and holds_slot
       and waiting_since <= sluice_now() - make_interval(secs => idle_seconds)
     order by waiting_since
     limit 100`)
  for (const { id } of idle) {
    await database.transaction(async tx => {
      const activity = await lockActivity(tx, id)
      if (activity?.status !== 'waiting' || !activity.holds_slot) return
      await parts.runners.letGo(tx, id)
      await releaseSlot(tx, activity)
      tx.hint('admission')
    })
  }
}

/**
 * The revision is resolved and the tree is stored: the activity stands in line for admission.
 *
 * @param locked the activity, where the caller has locked it since its tree was stored
 */
export async function makeReady(tx: Tx, activityId: string, locked?: Activity): Promise<void> {
  const activity = locked ?? (await lockActivity(tx, activityId))
  if (activity?.status !== 'initializing') return
  if (!activity.root_step_id) throw new Error(`activity ${activityId} has no tree`)
  await transitionActivity(tx, activity, ['ready'])
  tx.hint('admission')
}

/** It cannot be prepared. The reason stands on the record, in its log and in the event (execution.md 1). */
export async function failPreparation(parts: EngineParts, tx: Tx, activityId: string, reason: string): Promise<void> {
  const activity = await lockActivity(tx, activityId)
  if (activity?.status !== 'initializing') return
  const events: NewEvent[] = []
  await moveActivity(parts, tx, activity, ['fail'], events, reason)
  await addToLog(tx, { activityId, attempt: null, message: reason })
  await parts.record(tx, events)
}
