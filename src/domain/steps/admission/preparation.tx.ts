import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { addToLog } from '../../logs/index.ts'
import { moveWithoutSteps } from '../advance/advance.tx.ts'
import type { LateTreeParts } from '../engine.port.ts'
import { type Activity, lockActivity, transitionActivity } from '../store/activity.store.ts'
import { lacksTree, lockForTree } from './deferred-tree.tx.ts'

/**
 * Queues an activity for admission whose revision is resolved and whose tree is stored.
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

/** Ends an activity that cannot be prepared. Its record, its log and the event contain the reason. */
export async function failPreparation(parts: LateTreeParts, tx: Tx, activityId: string, reason: string): Promise<void> {
  const activity = await lockForTree(parts, tx, activityId)
  if (!activity) return
  if (lacksTree(activity)) await parts.lateTrees.stop(tx, activityId, theService.username)
  await moveWithoutSteps(parts, tx, activity, ['fail'], reason)
  await addToLog(tx, { activityId, attempt: null, message: reason })
}
