import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Activity } from './activity.store.ts'
import { notifyRun } from './workflow-news.store.ts'

/** Writes the new pause state of a locked activity; `pausedBy` null: it is no longer paused. */
export async function writePause(
  tx: Tx,
  activity: Activity,
  pauseState: Activity['pause_state'],
  pausedBy: string | null,
): Promise<Activity> {
  await tx.count(sql`
    update activities
       set pause_state = ${pauseState},
           paused_by   = ${pausedBy},
           row_version = row_version + 1,
           updated_at  = sluice_now()
     where id = ${activity.id}`)
  if (pauseState === 'paused') await notifyRun(tx, activity)
  return { ...activity, pause_state: pauseState }
}

/** Pauses an activity whose pause was requested, once the last step that ran at that time has ended. */
export async function settlePause(tx: Tx, activity: Activity): Promise<Activity> {
  if (activity.pause_state !== 'pausing' || activity.n_running > 0) return activity
  await tx.count(sql`
    update activities
       set pause_state = 'paused', row_version = row_version + 1, updated_at = sluice_now()
     where id = ${activity.id} and pause_state = 'pausing'`)
  await notifyRun(tx, activity)
  return { ...activity, pause_state: 'paused' }
}
