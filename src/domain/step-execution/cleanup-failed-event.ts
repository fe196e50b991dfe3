import { theService } from '#platform/actor.ts'
import type { RecordEvent } from '#platform/events.ts'
import { aboutStoredChange, findChange } from '../changes/index.ts'
import type { RunnerWork } from '../runners/index.ts'

const aDay = 24 * 3_600

/**
 * Records that the remains of a change's runner cannot be removed. Each process of the service finds that out for
 * itself, and again after a restart: it is recorded at most once a day.
 */
export const recordCleanupFailedEvent =
  (record: RecordEvent): RunnerWork['cleanupFailed'] =>
  async (tx, runner, error) => {
    const change = await findChange(tx, runner.activityId)
    if (!change) return
    const { attributes, ...about } = aboutStoredChange(change)
    await record(tx, {
      type: 'error:change_worker:delete',
      actor: theService,
      ...about,
      attributes: { ...attributes, runner_id: runner.id, error },
      throttle: { key: runner.id, seconds: aDay },
    })
  }
