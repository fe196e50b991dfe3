import { theService } from '#platform/actor.ts'
import { clockOf } from '#platform/db/clock.ts'
import { isDatabaseAway, isPassing } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Runtime } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { isUnavailable, messageOf } from '#platform/failure.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { addToLog } from '../../logs/index.ts'
import type { EngineParts, LateTreeParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { findEventStep } from '../store/event-step.store.ts'
import { breakActivity } from './lost-runner.tx.ts'
import { failureEvent } from './step-events.ts'

/** Dependencies of a loop that advances one activity after the other. */
export interface CarryingOn extends Pick<Runtime, 'database' | 'log'> {
  readonly backoff: RetryBackoff
  /** Name of the loop's work. */
  readonly doing?: string
}

/** Number of attempts (some seconds) after which a failure is recorded: by then the effects of a race are over. */
const triesBeforeEvent = 5
/** Seconds within which a failure is recorded at most once. */
export const hourly = 3_600

/**
 * Handles an activity that could not be advanced. The loop continues with the others and leaves this one alone for a
 * while, longer each time; after an hour without success, while others advanced, it is ended with the reason.
 *
 * @throws errors of an unavailable database, which say nothing about the activity
 */
export async function retryOrGiveUp(
  parts: LateTreeParts,
  { database, log, backoff, doing }: CarryingOn,
  activityId: string,
  error: unknown,
): Promise<void> {
  if (isDatabaseAway(error)) throw error
  const { tries, isLost } = backoff.failed(activityId, await clockOf(database), doing)
  log.warn(
    { err: error, activity: activityId, tries },
    'activity could not be advanced; retrying with back-off, other activities continue',
  )
  const reason = messageOf(error)
  try {
    const isEnded = await database.transaction(async tx => {
      const activity = await lockActivity(tx, activityId)
      // A run may be over while its children cannot be cancelled: without a pause that would be retried forever.
      if (!activity || isFinal(activityLife, activity.status)) return false
      if (isTransient(error)) await recordErrorEvent(parts, tx, activity, 'error:steps:transient_error', reason)
      else if (tries >= triesBeforeEvent) await recordFaultEvent(parts, tx, activity, reason)
      // A cancelled activity must not get another outcome.
      if (!isLost && !(tries >= triesBeforeEvent && activity.stopping === 'cancelled')) return false
      await giveUp(parts, tx, activity, reason)
      return true
    })
    if (isEnded) backoff.remove(activityId)
  } catch (failed) {
    if (isDatabaseAway(failed)) throw failed
    log.error(
      { err: failed, activity: activityId },
      'activity that cannot be advanced could not be ended either; retrying',
    )
    await database.transaction(async tx => {
      const activity = await lockActivity(tx, activityId)
      if (activity)
        await recordErrorEvent(parts, tx, activity, 'api:assign_system_error_job:error', messageOf(failed), hourly)
    })
  }
}

/** Whether an error is temporary (something is unavailable or exhausted), and no fault of the activity. */
const isTransient = (error: unknown): boolean => isPassing(error) || isUnavailable(error)

async function giveUp(parts: LateTreeParts, tx: Tx, activity: Activity, reason: string): Promise<void> {
  const message = `The service could not advance it: ${reason}`
  await recordFaultEvent(parts, tx, activity, reason)
  await addToLog(tx, { activityId: activity.id, attempt: null, message })
  await breakActivity(parts, tx, activity.id, message)
}

async function recordErrorEvent(
  parts: Pick<EngineParts, 'record'>,
  tx: Tx,
  activity: Activity,
  type: string,
  error: string,
  onceInSeconds?: number,
): Promise<void> {
  const root = await rootOf(tx, activity)
  const event: NewEvent = {
    type,
    actor: theService,
    source: { type: activity.kind, id: activity.id },
    node: { id: activity.node_id, path: activity.path, projectId: activity.project_id },
    activityId: activity.id,
    attributes: { name: root?.full_path ?? activity.name_key, error },
    ...(onceInSeconds && { throttle: { key: activity.id, seconds: onceInSeconds } }),
  }
  await parts.record(tx, [event])
}

/** Records the fault of an activity; for a change, by its root step. */
async function recordFaultEvent(
  parts: Pick<EngineParts, 'record'>,
  tx: Tx,
  activity: Activity,
  error: string,
): Promise<void> {
  if (activity.kind === 'workflow_run')
    return recordErrorEvent(parts, tx, activity, 'error:workflow_step:aasm_failure', error, hourly)
  const root = await rootOf(tx, activity)
  if (!root) return
  const told = failureEvent(activity, { ...root, error_message: error }, 'error:step:aasm_failure')
  await parts.record(tx, [{ ...told, throttle: { key: activity.id, seconds: hourly } }])
}

const rootOf = (tx: Tx, { root_step_id }: Activity) => findEventStep(tx, root_step_id)
