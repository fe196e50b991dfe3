import { theService } from '#platform/actor.ts'
import { isDatabaseAway, isPassing } from '#platform/db/connection-errors.ts'
import type { Database } from '#platform/db/database.ts'
import { messageOf } from '#platform/failure.ts'
import { aboutStoredChange, findChange } from '../changes/index.ts'
import type { RunnerWork } from '../runners/index.ts'
import { handleUnapplied, leaveOutLines } from '../steps/for-step-execution.ts'
import type { LateTreeParts } from '../steps/index.ts'
import type { StepExecutionParts } from './parts.port.ts'

/**
 * Handles results that could not be applied: they are retried and recorded; after an hour the change ends. Lines of a
 * log that cannot be stored are dropped then, and the change continues.
 */
export function unappliedResults(
  recordEvent: StepExecutionParts['recordEvent'],
  engine: LateTreeParts,
  database: Database,
): Pick<RunnerWork, 'retrying' | 'cannotApply' | 'cannotStore'> {
  const recordErrorEvent = async (activityId: string, type: string, error: unknown, throttleSeconds?: number) => {
    const change = await findChange(database, activityId)
    const { attributes, ...about } = change
      ? aboutStoredChange(change)
      : { source: { type: 'change', id: activityId }, activityId, attributes: {} }
    await recordEvent({
      type,
      actor: theService,
      ...about,
      attributes: { ...attributes, error: messageOf(error) },
      ...(throttleSeconds && { throttle: { key: activityId, seconds: throttleSeconds } }),
    })
  }
  return {
    retrying: async ({ activityId }, error) => {
      if (isPassing(error)) await recordErrorEvent(activityId, 'error:steps:transient_error', error)
    },
    cannotApply: async ({ activityId }, stepId, { error, isLost }) => {
      const unapplied = { activityId, stepId, error: messageOf(error), isLost }
      try {
        return await database.transaction(tx => handleUnapplied(engine, tx, unapplied))
      } catch (failed) {
        // It is retried every few seconds for as long as the runner is connected.
        if (!isDatabaseAway(failed))
          await recordErrorEvent(activityId, 'api:assign_system_error_job:error', failed, 3_600)
        throw failed
      }
    },
    cannotStore: ({ activityId }, lines, { error, isLost }) =>
      database.transaction(tx => leaveOutLines(engine, tx, { activityId, ...lines, error: messageOf(error), isLost })),
  }
}
