import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { advance, moveWithoutSteps, wantRunner } from '../advance/advance.tx.ts'
import { canRunSteps } from '../advance/decided-changes.ts'
import type { AdvanceParts, LateTreeParts } from '../engine.port.ts'
import { type Activity, hasSlotPerStep, lockActivity, transitionActivity } from '../store/activity.store.ts'
import { neighbourhoodOf } from '../store/neighbourhood.store.ts'
import { releaseSlot } from './slot.store.ts'

/**
 * Activities whose tree only a user's program can define. No user code runs before admission, so they are queued
 * without a tree, which is created in the slot that they are admitted with (docs/adr/0022).
 */

/** Queues an activity whose revision is resolved but whose tree is not there yet. */
export async function queueWithoutTree(tx: Tx, initializing: Activity): Promise<void> {
  await transitionActivity(tx, initializing, ['ready'])
  tx.hint('admission')
}

/** Whether the activity is running while its tree is not known yet. */
export const lacksTree = (activity: Activity): boolean =>
  activity.status === 'running' && activity.root_step_id === null

/**
 * Locks an activity for which a tree was created. Undefined if it must not get one any more. An activity that was
 * cancelled while its program ran ends here, if the program has ended: the queue may run a job again while the program
 * runs.
 */
export async function lockForTree(parts: LateTreeParts, tx: Tx, id: string): Promise<Activity | undefined> {
  const activity = await lockActivity(tx, id)
  if (!activity || (activity.status !== 'initializing' && !lacksTree(activity))) return undefined
  if (activity.stopping === null) return activity
  if (await parts.lateTrees.stop(tx, id, activity.cancelled_by!)) return undefined
  await moveWithoutSteps(parts, tx, activity, ['cancel'])
  return undefined
}

/** Handles an activity that was admitted without a tree, once its tree is stored: its first step may start. */
export async function beginTree(parts: LateTreeParts, tx: Tx, id: string): Promise<void> {
  // The program may still run, if another change has requested it at the same commit.
  await parts.lateTrees.stop(tx, id, theService.username)
  const activity = await withoutSlotWhereStepsHaveThem(tx, (await lockActivity(tx, id))!)
  const root = activity.root_step_id!
  const known = await neighbourhoodOf(tx, id, [root])
  if (known.steps.get(root)?.status === 'success') return succeedAtOnce(parts, tx, activity)
  const after = await advance(parts, tx, activity, known, [{ what: 'turn', id: root }])
  if (canRunSteps(after.activity)) await wantRunner(parts, tx, after.activity)
}

/** A retry of an activity that was cancelled as its last step succeeded: nothing is left to run. */
export const succeedAtOnce = (parts: AdvanceParts, tx: Tx, started: Activity): Promise<void> =>
  moveWithoutSteps(parts, tx, started, ['succeed'])

/** Gives back the slot in which the program ran, if each of the steps gets a slot of its own from now on. */
async function withoutSlotWhereStepsHaveThem(tx: Tx, activity: Activity): Promise<Activity> {
  const perStep = await hasSlotPerStep(tx, activity.id)
  if (!perStep || !activity.holds_slot) return activity
  await releaseSlot(tx, activity)
  return { ...activity, holds_slot: false, per_step: true }
}
