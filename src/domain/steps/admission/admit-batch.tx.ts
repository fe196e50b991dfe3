import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { NewEvent } from '#platform/events.ts'
import { failpoint } from '#platform/failpoints.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { advance, wantRunner } from '../advance/advance.tx.ts'
import { activityEvents } from '../advance/step-events.ts'
import type { LateTreeParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { type Activity, transitionActivity } from '../store/activity.store.ts'
import { neighbourhoodOf } from '../store/neighbourhood.store.ts'
import { anyAdmissible, type Maintenance, nextAdmissible, type PoolWithWork } from './admission.store.ts'
import { succeedAtOnce } from './deferred-tree.tx.ts'
import { claimSlots, lockSlots, type SlotPool } from './slot.store.ts'
import { giveSlotToStep } from './step-slots.tx.ts'

/** Time of the next run: there may be more to admit. */
export type NextPass = 'no' | 'now' | 'soon'

/** Admission of activities of one pool in one transaction. */
export interface Admission {
  readonly parts: LateTreeParts
  readonly tx: Tx
  readonly pool: SlotPool & Pick<PoolWithWork, 'postponed'> & { steps_wait: boolean }
  readonly maintenance: Maintenance
  /** Maximum number of activities to start. */
  readonly most: number
  /** Activities that have started, and get their slots when all others have started as well (docs/adr/0070). */
  readonly promised: Activity[]
  /** Whether one ended as it began: others may have waited for its end. */
  anyEnded: boolean
}

/**
 * Looks for the next activity while others are still starting: the query is sent behind the statement that starts them.
 * Each of them is assumed to need a slot until that is known. No savepoint may be used within a start: rolling back to
 * it would undo what others have sent meanwhile.
 */
export async function beginAll(admission: Admission, begins: (activity: Activity) => void): Promise<NextPass> {
  const beginning: Promise<boolean>[] = []
  try {
    const answer = await beginEach(admission, beginning, begins)
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
  begins: (activity: Activity) => void,
): Promise<NextPass> {
  const { parts, tx, pool, maintenance, most } = admission
  const allBegan = async () => {
    for (const tookSlot of await Promise.all(beginning)) if (!tookSlot) pool.used -= 1
    beginning.length = 0
  }
  for (let started = 0; started < most; started += 1) {
    if (pool.used >= pool.configured_limit) await allBegan()
    if (pool.used >= pool.configured_limit) {
      if (await anyAdmissible(tx, pool, maintenance)) await parts.record(tx, [poolIsFull(pool)])
      return 'no'
    }
    const activity = await nextAdmissible(tx, pool, maintenance)
    if (!activity) return (await anyAdmissible(tx, pool, maintenance)) ? 'soon' : 'no'
    begins(activity)
    // Further steps of a started change may need a slot, after all others.
    pool.steps_wait ||= activity.per_step
    // Slots of steps are claimed together, once it is known how many the others need.
    if (pool.steps_wait) await allBegan()
    const its = begin(admission, activity)
    its.catch(() => {})
    beginning.push(its)
    pool.used += 1
    if (pool.steps_wait) await allBegan()
  }
  return 'now'
}

/** Claims the slots: the last lock and the last statements, because the end of an activity waits for the pool. */
export async function giveSlots({ tx, pool, promised }: Admission): Promise<void> {
  if (promised.length === 0) return
  await lockSlots(tx, pool, promised.length)
  await claimSlots(tx, promised)
  failpoint('admission-before-commit')
}

/** Returns whether that took a slot. */
async function begin(admission: Admission, activity: Activity): Promise<boolean> {
  if (activity.status === 'queued') return resume(admission, activity)
  if (activity.status === 'pending') return start(admission, activity)
  return giveStepSlot(admission, activity)
}

/** Slot, status and event change together. An activity that begins by waiting gets its slot when it continues. */
async function start(admission: Admission, pending: Activity): Promise<boolean> {
  const { parts, tx } = admission
  const root = pending.root_step_id
  if (!root) return startWithoutTree(admission, pending)
  const [started, known] = await Promise.all([
    transitionActivity(tx, pending, ['start']),
    neighbourhoodOf(tx, pending.id, [root]),
  ])
  await parts.record(tx, activityEvents(started, ['start'], theService))
  if (known.steps.get(root)?.status === 'success') {
    await succeedAtOnce(parts, tx, started)
    admission.anyEnded = true
    return false
  }
  const { activity } = await advance(parts, tx, started, known, [{ what: 'turn', id: root }])
  admission.anyEnded ||= isFinal(activityLife, activity.status)
  if (activity.status !== 'running' || activity.kind !== 'change') return false
  return takeSlot(admission, activity)
}

/** Starts an activity without a tree: a program derives its steps in the slot that it gets now. */
async function startWithoutTree({ parts, tx, promised }: Admission, pending: Activity): Promise<true> {
  const started = await transitionActivity(tx, pending, ['start'])
  await parts.record(tx, activityEvents(started, ['start'], theService))
  await parts.lateTrees.make(tx, started)
  promised.push(started)
  return true
}

async function resume(admission: Admission, queued: Activity): Promise<boolean> {
  const { tx } = admission
  const holdsSlot = await takeSlot(admission, await transitionActivity(tx, queued, ['resume']))
  tx.hint('steps')
  return holdsSlot
}

/** The slot of the change, or of its first step that has none. */
async function takeSlot(admission: Admission, activity: Activity): Promise<boolean> {
  if (activity.per_step) return giveStepSlot(admission, activity)
  await wantRunner(admission.parts, admission.tx, activity)
  admission.promised.push(activity)
  return true
}

/** Gives a step its slot at once: the next candidate depends on how many steps of a change have slots. */
async function giveStepSlot({ parts, tx, pool, promised }: Admission, activity: Activity): Promise<boolean> {
  await lockSlots(tx, pool, promised.length + 1)
  return giveSlotToStep(parts, tx, activity)
}

const poolIsFull = (pool: SlotPool): NewEvent => ({
  type: 'warn:resource_slot_pool:full',
  actor: theService,
  source: { type: 'resource_slot_pool', id: pool.id },
  attributes: { pool: pool.pool, configured_limit: pool.configured_limit },
  throttle: { key: `resource_slot_pool:full:${pool.site}:${pool.pool}`, seconds: 3_600 },
})
