import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { lacksTree } from '../admission/deferred-tree.tx.ts'
import type { LateTreeParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { stepsToEnd } from '../rules/steps-to-end.ts'
import { type Activity, lockActivity, writeCancel } from '../store/activity.store.ts'
import { stepChange, unfinishedSteps } from '../store/unfinished.store.ts'
import { carryOut, moveWithoutSteps } from './advance.tx.ts'

/**
 * Response to a request to cancel. cancelled: nothing of it runs. cancelling: running steps are being stopped. already:
 * it was requested before. final: it has ended; of a concurrent end and cancel the first wins, because both lock the
 * activity.
 */
export type CancelAnswer = 'missing' | 'final' | 'already' | 'cancelled' | 'cancelling'

/**
 * Requests a cancel. Running steps are stopped by the process that has the connection to their runner, on the hint
 * `cancel`.
 *
 * @param about attributes of the request for the event of the cancel, whenever it is recorded
 */
export async function requestCancel(
  parts: LateTreeParts,
  tx: Tx,
  activityId: string,
  actor: Pick<Actor, 'userId' | 'username'>,
  about: Readonly<Record<string, unknown>> = {},
): Promise<CancelAnswer> {
  const found = await lockActivity(tx, activityId)
  if (!found) return 'missing'
  if (isFinal(activityLife, found.status)) return 'final'
  if (found.stopping === 'cancelled') return 'already'
  const activity = await noteCancel(tx, found, actor, about)
  const unfinished = await unfinishedSteps(tx, activityId)
  if (unfinished.length === 0) return endWithoutSteps(parts, tx, activity)
  const changes = stepsToEnd(unfinished).map(step => stepChange(step, 'cancel', 'cancelled', step.body))
  const after = await carryOut(parts, tx, activity, changes, [])
  if (after.activity.status === 'cancelled') return 'cancelled'
  tx.hint(activity.kind === 'change' ? 'cancel' : 'workflows')
  return 'cancelling'
}

async function noteCancel(
  tx: Tx,
  activity: Activity,
  actor: Pick<Actor, 'userId' | 'username'>,
  about: Readonly<Record<string, unknown>>,
): Promise<Activity> {
  await writeCancel(tx, activity.id, actor, about)
  return { ...activity, stopping: 'cancelled', cancelled_by: actor.username, cancelled_by_id: actor.userId }
}

/** Ends an activity that has no tree yet. If a program is deriving it, that has to end first. */
async function endWithoutSteps(parts: LateTreeParts, tx: Tx, activity: Activity): Promise<CancelAnswer> {
  if (lacksTree(activity) && (await parts.lateTrees.stop(tx, activity.id, activity.cancelled_by!))) return 'cancelling'
  await moveWithoutSteps(parts, tx, activity, ['cancel'])
  return 'cancelled'
}
