import type { Job, Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { SettingsReader } from '../settings/index.ts'
import { lostRunners, neverCame } from './lost-runners.jobs.ts'
import { beat, goneRunners, type RunnerToStart, recordName, setSecret, takeWanted } from './runner.store.ts'
import type { ProcessName } from './runner.ts'
import type { RunnerDriver, RunnerDrivers, RunnerName } from './runner-driver.port.ts'
import type { RunnerWork } from './runner-work.port.ts'
import { newSecret } from './secret.tx.ts'
import { deleteSpares } from './spare.store.ts'
import type { Spares } from './spares.jobs.ts'

export interface RunnerLoopsOptions {
  readonly work: RunnerWork
  readonly drivers: RunnerDrivers
  /** Service process that is recorded with the runners that it starts. */
  readonly self: ProcessName
  readonly site: string
  readonly spares: Spares
  readonly settings: Pick<SettingsReader, 'global'>
}

/** Background work for runners: the service's heartbeat, starting them, finding lost ones, and cleaning up. */
export function runnerLoops(options: RunnerLoopsOptions): Loop[] {
  const starts = new RetryBackoff()
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
    {
      name: 'start runners',
      every: 1_000,
      hints: ['runners'],
      run: async runtime => {
        let more = false
        for (const driver of options.drivers.values())
          if (await startWanted({ ...options, driver, starts }, runtime)) more = true
        return more
      },
    },
    { name: 'find lost runners', every: 1_000, hints: [], run: lostRunners({ ...options, starts }) },
    { name: 'remove folders of runners', every: 1_000, hints: [], run: folderRemoval(options) },
    options.spares.loop(options),
  ]
}

export const deleteSparesJob: Job = {
  name: 'runners.forget_spares',
  cron: '41 4 * * *',
  run: async (_payload: object, { database }) => void (await deleteSpares(database)),
}

const atOnce = 10

type Starting = Pick<RunnerLoopsOptions, 'work' | 'self' | 'site'> & {
  readonly driver: RunnerDriver
  readonly starts: RetryBackoff
}

async function startWanted({ work, driver, self, site, starts }: Starting, runtime: Runtime): Promise<boolean> {
  const { database } = runtime
  const except = starts.postponed()
  const taken = await database.transaction(async tx => {
    const wanted = await takeWanted(tx, {
      site,
      kind: driver.kind,
      limit: atOnce,
      starter: self,
      folder: driver.folder,
      except,
    })
    const withSecrets = wanted.map(runner => ({ runner, ...newSecret(runner.id) }))
    for (const { runner, sha256 } of withSecrets) await setSecret(tx, runner.id, sha256)
    return withSecrets
  })
  for (const each of taken) {
    try {
      await startOne({ work, driver, starts }, runtime, each)
    } catch (error) {
      // The rest of the batch is already claimed; without this catch it would stay `starting` until its deadline.
      runtime.log.error(
        { err: error, runner: each.runner.id },
        'runner did not start; retrying when its start is overdue',
      )
    }
  }
  return taken.length === atOnce
}

async function startOne(
  { work, driver, starts }: Omit<Starting, 'site' | 'self'>,
  runtime: Runtime,
  { runner, secret }: { readonly runner: RunnerToStart; readonly secret: string },
): Promise<void> {
  const { database, log } = runtime
  let name: RunnerName | undefined
  try {
    failpoint('runner-taken')
    name = await driver.start({ ...runner, secret })
    failpoint('runner-spawned')
  } catch (error) {
    log.error({ err: error, runner: runner.id }, 'runner could not be started')
    return neverCame({ work, starts }, runtime, runner, (error as Error).message)
  }
  // A runner that ended at once is detected as missing.
  if (!name) return
  await recordName(database, runner.id, name).catch(error =>
    // It runs, and must not be started once more: its first message records its start.
    log.warn({ err: error, runner: runner.id }, 'name of a started runner could not be recorded'),
  )
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
