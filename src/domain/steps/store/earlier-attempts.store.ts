import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/**
 * Keeps the attempts of steps of a locked activity that are about to run again: the row of a step has the newest
 * attempt only. Called before the steps are queued, while their rows still name the runners.
 */
export const keepAttempts = (
  tx: Tx,
  { activityId, stepIds, reason }: { activityId: string; stepIds: readonly string[]; reason: string },
): Promise<number> =>
  tx.count(sql`
    insert into step_attempts (activity_id, step_id, attempt, runner_id, error_message, started_at, finished_at)
    select s.activity_id, s.id, s.attempt, s.runner_id, ${reason}, s.started_at, sluice_now()
      from steps s
     where s.id = any(${[...stepIds]}::uuid[]) and s.activity_id = ${activityId}::uuid`)
