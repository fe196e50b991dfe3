import { theService } from '#platform/actor.ts'
import { aboutStored, type ChangeParts, findChange } from '../changes/index.ts'
import type { RunnerWork } from '../runners/index.ts'

const aDay = 24 * 3_600

/**
 * Records that what a change's runner has left cannot be removed. Each process of the service finds that out for itself,
 * and again after a restart: it is recorded once a day at most.
 */
export const tellFolderStays =
  (parts: Pick<ChangeParts, 'record'>): RunnerWork['folderStays'] =>
  async (tx, runner, error) => {
    const change = await findChange(tx, runner.activityId)
    if (!change) return
    const { attributes, ...about } = aboutStored(change)
    await parts.record(tx, {
      type: 'error:change_worker:delete',
      actor: theService,
      ...about,
      attributes: { ...attributes, runner_id: runner.id, error },
      throttle: { key: runner.id, seconds: aDay },
    })
  }
