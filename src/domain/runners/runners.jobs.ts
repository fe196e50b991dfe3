import type { Job, Loop, Runtime } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import { lostRunners } from './lost-runners.jobs.ts'
import { beat, goneRunners } from './runner.store.ts'
import type { RunnerDriver } from './runner-driver.port.ts'
import type { RunnerStarts, RunnerStartsOptions } from './runner-starts.jobs.ts'
import { deleteSpares } from './spare.store.ts'
import type { Spares } from './spares.jobs.ts'

export interface RunnerLoopsOptions extends RunnerStartsOptions {
  readonly starts: RunnerStarts
  readonly spares: Spares
  readonly settings: Pick<SettingsReader, 'global'>
}

/** Background work for runners: the service's heartbeat, starting them, finding lost ones, and cleaning up. */
export function runnerLoops(options: RunnerLoopsOptions): Loop[] {
  return [
    {
      name: 'heartbeat',
      every: 1_000,
      hints: [],
      run: async ({ database }) => {
        await beat(database)
        return false
      },
    },
    options.starts.loop(options),
    {
      name: 'find lost runners',
      every: 1_000,
      hints: [],
      run: lostRunners({ ...options, starts: options.starts.backoff }),
    },
    { name: 'remove folders of runners', every: 1_000, hints: [], run: folderRemoval(options) },
    options.spares.loop(options),
  ]
}

export const deleteSparesJob: Job = {
  name: 'runners.forget_spares',
  cron: '41 4 * * *',
  run: async (_payload: object, { database }) => void (await deleteSpares(database)),
}

/** Minimum and maximum time between two attempts to remove a folder, in milliseconds. */
const [firstPause, longestPause] = [30_000, 3_600_000]

/** Removes the files of runners that are gone, once they have ended too. */
function folderRemoval({ drivers, work }: RunnerLoopsOptions): Loop['run'] {
  const stuck = new Map<string, { readonly pause: number; readonly until: number }>()
  const removeLeftovers = async (driver: RunnerDriver, { database, log }: Runtime) => {
    const now = performance.now()
    const left = (await driver.leftovers()).filter(id => (stuck.get(id)?.until ?? 0) <= now)
    if (left.length === 0) return
    const gone = await goneRunners(database, left)
    const observed = await driver.observe(gone)
    for (const { id, activityId } of gone) {
      const lives = observed.get(id)?.is === 'alive'
      const why = lives ? undefined : await cleanupFailure(driver, id)
      if (why === undefined) {
        if (!lives) stuck.delete(id)
        continue
      }
      const pause = Math.min((stuck.get(id)?.pause ?? firstPause / 2) * 2, longestPause)
      stuck.set(id, { pause, until: performance.now() + pause })
      log.warn({ runner: id, why, retryInSeconds: pause / 1000 }, 'removing the folder of a runner failed; retrying')
      if (activityId) await database.transaction(tx => work.cleanupFailed(tx, { id, activityId }, why))
    }
  }
  return async runtime => {
    for (const driver of drivers.values()) await removeLeftovers(driver, runtime)
    return false
  }
}

/** Removes the files of a runner, and returns why that failed: a folder that cannot be removed delays no other. */
async function cleanupFailure(driver: Pick<RunnerDriver, 'remove'>, id: string): Promise<string | undefined> {
  try {
    const end = await driver.remove(id)
    return end === 'removed' ? undefined : end.stays
  } catch (error) {
    return (error as Error).message
  }
}
