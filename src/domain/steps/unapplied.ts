import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { lockActivity } from './activity.store.ts'
import type { EngineParts } from './engine.ts'
import { breakActivity } from './lost-runner.ts'
import { failureEvent, type ToldStep } from './step-events.ts'

/**
 * What an attempt reports cannot be applied, however often it is tried: its activity ends as system_error, in whose events
 * stand the step and what was wrong.
 */
export async function breakUnapplied(
  parts: EngineParts,
  tx: Tx,
  { activityId, stepId, error }: { activityId: string; stepId: string; error: string },
): Promise<void> {
  const activity = await lockActivity(tx, activityId)
  const step = await tx.one(sql<ToldStep>`
    select id, status, full_path, action, false as swept from steps where id = ${stepId}::uuid`)
  if (activity && step) {
    const told = { ...step, error_message: error }
    await parts.record(tx, [
      failureEvent(activity, told, 'error:step:aasm_failure'),
      failureEvent(activity, told, 'api:steps:error'),
    ])
  }
  const reason = `what the step ${step?.full_path ?? stepId} reported could not be applied: ${error}`
  await breakActivity(parts, tx, activityId, reason)
}
