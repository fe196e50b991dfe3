import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { queuedUnderSlot } from '../admission/step-slot.store.ts'
import type { Claimer } from '../engine.port.ts'
import type { Activity } from '../store/activity.store.ts'
import { columnsOf, type StoredStep } from '../store/neighbourhood.store.ts'
import type { StepChange } from '../store/step-transition.store.ts'
import { claimOfQueued } from './decided-changes.ts'

/** The queued steps of a locked activity that the runner takes next. */
export async function claimChanges(tx: Tx, activity: Activity, claimer: Claimer): Promise<StepChange[]> {
  if (claimer.limit <= 0) return []
  const queued = await firstQueued(tx, activity.id, claimer.limit)
  return queued.map(step => claimOfQueued(step, claimer))
}

/** The one step that the runner is for, while a slot is held for it. */
export async function claimOwn(tx: Tx, activity: Activity, claimer: Claimer): Promise<StepChange[]> {
  if (!claimer.stepId) return []
  const queued = await queuedUnderSlot(tx, activity.id, claimer.stepId)
  return queued.map(step => claimOfQueued(step, claimer))
}

/** The first queued steps of an activity, in the order of the tree. */
export const firstQueued = (tx: Queries, activityId: string, atMost: number | Sql<number>): Promise<StoredStep[]> =>
  tx.rows(sql<StoredStep>`
    select ${columnsOf('s')}
      from steps s
     where s.activity_id = ${activityId} and s.status = 'queued'
     order by s.tree_order
     limit ${atMost}`)

/**
 * Steps that may be claimed when `ending` steps end: as many, and what the activity allows in addition. Sent behind the
 * lock of the activity, so that they are current.
 */
export const queuedBehind = (tx: Tx, activityId: string, ending: number): Promise<StoredStep[]> =>
  firstQueued(
    tx,
    activityId,
    sql<number>`(select greatest(a.parallel_steps - a.n_running, 0) + ${ending}::int
                   from activities a where a.id = ${activityId})`,
  )
