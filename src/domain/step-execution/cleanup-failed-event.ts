import { theService } from '#platform/actor.ts'
import { aboutStoredChange, type ChangeParts, findChange } from '../changes/index.ts'
import type { RunnerWork } from '../runners/index.ts'

const aDay = 24 * 3_600

/**
 * Records that what a change's runner has left cannot be removed. Each process of the service finds that out for itself,
 * and again after a restart: it is recorded once a day at most.
 */
export const recordCleanupFailedEvent =
  (parts: Pick<ChangeParts, 'record'>): RunnerWork['cleanupFailed'] =>
  async (tx, runner, error) => {
    const change = await findChange(tx, runner.activityId)
    if (!change) return
    const { attributes, ...about } = aboutStoredChange(change)
    await parts.record(tx, {
      type: 'error:change_worker:delete',
      actor: theService,
      ...about,
      attributes: { ...attributes, runner_id: runner.id, error },
      throttle: { key: runner.id, seconds: aDay },
    })
  }
