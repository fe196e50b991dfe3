import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import type { EngineParts, LateTreeParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { lockActivity } from '../store/activity.store.ts'
import { findEventStep } from '../store/event-step.store.ts'
import { breakActivity } from './lost-runner.tx.ts'
import { hourly } from './retry-or-give-up.tx.ts'
import { failureEvent } from './step-events.ts'

/**
 * Drops lines of an attempt's log that could not be stored after many attempts, and records that.
 *
 * @returns whether they were dropped: once their runner is lost, and at once if the activity is being stopped anyway
 */
export async function leaveOutLines(
  parts: Pick<EngineParts, 'record'>,
  tx: Tx,
  lines: { activityId: string; stepId: string; first: number; count: number; error: string; isLost: boolean },
): Promise<boolean> {
  const { activityId, stepId, first, count, error, isLost } = lines
  const activity = await lockActivity(tx, activityId)
  if (!activity) return true
  if (!isLost && activity.stopping !== 'cancelled' && !isFinal(activityLife, activity.status)) return false
  const step = await findEventStep(tx, stepId)
  if (step) {
    const told = failureEvent(activity, { ...step, error_message: error }, 'error:log_lines:left_out')
    await parts.record(tx, [{ ...told, attributes: { ...told.attributes, first_line: first, line_count: count } }])
  }
  return true
}

/**
 * Handles a result that could not be applied after many attempts, and records it. Once its runner is lost, the step and
 * its activity end as system_error; if the activity is being cancelled it ends as `cancelled` at once, the only outcome
 * that it can have.
 *
 * @returns whether the activity is over
 */
export async function handleUnapplied(
  parts: LateTreeParts,
  tx: Tx,
  { activityId, stepId, error, isLost }: { activityId: string; stepId: string; error: string; isLost: boolean },
): Promise<boolean> {
  const activity = await lockActivity(tx, activityId)
  if (!activity || isFinal(activityLife, activity.status)) return true
  const isCancelled = activity.stopping === 'cancelled'
  const step = await findEventStep(tx, stepId)
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
