import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Activity } from './activity.store.ts'

/**
 * Notifies a run that a child of one of its steps has ended or is paused: in a transaction of its own, since this one
 * locks the activity, and a transaction that locks one must never wait for another.
 */
export async function notifyRun(tx: Tx, activity: Pick<Activity, 'workflow_step_id'>): Promise<void> {
  if (activity.workflow_step_id === null) return
  await tx.count(sql`insert into workflow_step_news (step_id) values (${activity.workflow_step_id})`)
  tx.hint('workflows')
}

/** Notifies a run that has ended of its unfinished children, as if each of these had ended. */
export async function notifyOfChildren(tx: Tx, runId: string): Promise<void> {
  await tx.count(sql`
    insert into workflow_step_news (step_id)
    select s.id from steps s join activities m on m.workflow_step_id = s.id
     where s.activity_id = ${runId}::uuid and not m.final`)
  tx.hint('workflows')
}

/**
 * Whether the step that created `activities a` still waits for its end. If the activity were deleted before, the step
 * would never end.
 */
export const isAwaited = sql<boolean>`
  exists (select from steps maker where maker.id = a.workflow_step_id and maker.status = 'running' and maker.body = 'open')`
