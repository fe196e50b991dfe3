import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { activityLife } from './activity.lifecycle.ts'
import { lockActivity } from './activity.store.ts'
import type { EngineParts } from './engine.ts'
import { breakActivity } from './lost-runner.ts'
import { failureEvent, type ToldStep } from './step-events.ts'

/** Seconds within which it is told of once. */
const hourly = 3_600

/**
 * What an attempt reports cannot be applied, though it was tried many times. It is told of. Once it is lost the step and its
 * activity end as system_error; where somebody has cancelled the activity that is `cancelled` at once, for nothing else is to
 * come of it.
 *
 * @returns whether the activity is over
 */
export async function holdUnapplied(
  parts: EngineParts,
  tx: Tx,
  { activityId, stepId, error, isLost }: { activityId: string; stepId: string; error: string; isLost: boolean },
): Promise<boolean> {
  const activity = await lockActivity(tx, activityId)
  if (!activity || isFinal(activityLife, activity.status)) return true
  const isCancelled = activity.stopping === 'cancelled'
  const step = await tx.one(sql<ToldStep>`
    select id, status, full_path, action, false as swept from steps where id = ${stepId}::uuid`)
  if (step) {
    const told = { ...step, error_message: error }
    const throttle = { key: activityId, seconds: hourly }
    await parts.record(tx, [
      { ...failureEvent(activity, told, 'error:step:aasm_failure'), throttle },
      ...(isLost && !isCancelled ? [failureEvent(activity, told, 'api:steps:error')] : []),
    ])
  }
  if (!isLost && !isCancelled) return false
  const reason = `what the step ${step?.full_path ?? stepId} reported could not be applied: ${error}`
  await breakActivity(parts, tx, activityId, reason)
  return true
}
