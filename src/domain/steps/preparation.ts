import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'
import { addToLog } from '../runners/index.ts'
import { type Activity, lockActivity, transitionActivity } from './activity.store.ts'
import { moveActivity } from './advance.ts'
import type { EngineParts } from './engine.ts'

/** It has no tree yet: nothing of it can be admitted. */
export const isUnprepared = ({ status, root_step_id }: Pick<Activity, 'status' | 'root_step_id'>): boolean =>
  status === 'initializing' || (status === 'pending' && root_step_id === null)

/**
 * Its tree takes a program of the user's to be asked, which maintenance may hold: it is pending meanwhile, like whatever
 * else waits to start.
 */
export async function awaitDerivation(tx: Tx, activity: Activity): Promise<void> {
  if (activity.status === 'initializing') await transitionActivity(tx, activity, ['ready'])
}

/**
 * The revision is resolved and the tree is stored: the activity stands in line for admission.
 *
 * @param locked the activity, where the caller has locked it since its tree was stored
 */
export async function makeReady(tx: Tx, activityId: string, locked?: Activity): Promise<void> {
  const activity = locked ?? (await lockActivity(tx, activityId))
  if (activity?.status !== 'initializing' && activity?.status !== 'pending') return
  if (!activity.root_step_id) throw new Error(`activity ${activityId} has no tree`)
  if (activity.status === 'initializing') await transitionActivity(tx, activity, ['ready'])
  else
    await tx.count(sql`
      update activities set row_version = row_version + 1, updated_at = sluice_now() where id = ${activityId}`)
  tx.hint('admission')
}

/** It cannot be prepared. The reason stands on the record, in its log and in the event. */
export async function failPreparation(parts: EngineParts, tx: Tx, activityId: string, reason: string): Promise<void> {
  const activity = await lockActivity(tx, activityId)
  if (!activity || !isUnprepared(activity)) return
  const events: NewEvent[] = []
  // What its actions are was asked once that had been let in: it has begun with that.
  await moveActivity(parts, tx, activity, activity.status === 'pending' ? ['start', 'fail'] : ['fail'], events, reason)
  await addToLog(tx, { activityId, attempt: null, message: reason })
  await parts.record(tx, events)
}
