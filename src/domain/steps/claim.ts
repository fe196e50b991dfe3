import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Activity } from './activity.store.ts'
import type { Claimer } from './engine.ts'
import type { StepChange } from './step-transition.ts'

/** The queued steps of a locked activity that the runner takes next, in the order of the tree. */
export async function claimChanges(tx: Tx, activity: Activity, claimer: Claimer): Promise<StepChange[]> {
  if (claimer.limit <= 0) return []
  const rows = await tx.rows(sql<{ id: string } & StepChange['before']>`
    select id, parent_id, body, needs_approval
      from steps
     where activity_id = ${activity.id} and status = 'queued'
     order by tree_order
     limit ${claimer.limit}`)
  return rows.map(({ id, ...before }) => ({
    id,
    from: 'queued',
    path: ['claim'],
    to: 'running',
    body: before.body,
    before,
    claimedBy: claimer.runnerId,
  }))
}
