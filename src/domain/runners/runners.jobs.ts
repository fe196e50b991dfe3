import type { Job, Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { SettingsReader } from '../settings/index.ts'
import type { ProcessRunners } from './drivers/process/process.adapter.ts'
import { lostRunners, neverCame } from './lost-runners.jobs.ts'
import { beat, goneRunners, type RunnerToStart, recordProcess, setSecret, takeWanted } from './runner.store.ts'
import type { ProcessName } from './runner.ts'
import type { RunnerWork } from './runner-work.port.ts'
import { newSecret } from './secret.tx.ts'
import { forgetSpares } from './spare.store.ts'
import type { Spares } from './spares.jobs.ts'

export interface RunnerLoopsOptions {
  readonly work: RunnerWork
  readonly processes: ProcessRunners
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
      run: around => startWanted({ ...options, starts }, around),
    },
    { name: 'find lost runners', every: 1_000, hints: [], run: lostRunners({ ...options, starts }) },
    { name: 'remove folders of runners', every: 1_000, hints: [], run: folderRemoval(options) },
    options.spares.loop(options),
  ]
}

export const forgetSparesJob: Job = {
  name: 'runners.forget_spares',
  cron: '41 4 * * *',
  run: async (_payload: object, { database }) => void (await forgetSpares(database)),
}

const atOnce = 10

type Starting = Pick<RunnerLoopsOptions, 'work' | 'processes' | 'site'> & { readonly starts: RetryBackoff }

async function startWanted({ work, processes, site, starts }: Starting, around: Runtime): Promise<boolean> {
  const { database } = around
  const except = starts.postponed()
  const taken = await database.transaction(async tx => {
    const wanted = await takeWanted(tx, {
      site,
      kind: 'process',
      limit: atOnce,
      starter: processes.self,
      folder: processes.folder,
      except,
    })
    const withSecrets = wanted.map(runner => ({ runner, ...newSecret(runner.id) }))
    for (const { runner, sha256 } of withSecrets) await setSecret(tx, runner.id, sha256)
    return withSecrets
  })
  for (const each of taken) {
    try {
      await startOne({ work, processes, starts }, around, each)
    } catch (error) {
      // Those behind it are taken as well, and would stand as begun until they are overdue.
      around.log.error(
        { err: error, runner: each.runner.id },
        'runner did not start; retrying when its start is overdue',
      )
    }
  }
  return taken.length === atOnce
}

async function startOne(
  { work, processes, starts }: Omit<Starting, 'site'>,
  around: Runtime,
  { runner, secret }: { readonly runner: RunnerToStart; readonly secret: string },
): Promise<void> {
  const { database, log } = around
  let name: ProcessName | undefined
  try {
    failpoint('runner-taken')
    name = await processes.start({ ...runner, secret })
    failpoint('runner-spawned')
  } catch (error) {
    log.error({ err: error, runner: runner.id }, 'runner could not be started')
    return neverCame({ work, starts }, around, runner, (error as Error).message)
  }
  // One that ended at once is found missing.
  if (!name) return
  await recordProcess(database, runner.id, name).catch(error =>
    // It lives, and is not to be started once more: it says so itself with its first words.
    log.warn({ err: error, runner: runner.id }, 'process id of a runner could not be recorded'),
  )
}

/** Between two tries to remove a folder, in milliseconds. */
const [firstPause, longestPause] = [30_000, 3_600_000]

/** Folders of runners that are gone, once their process is too. */
function folderRemoval({ processes, work }: RunnerLoopsOptions): Loop['run'] {
  const stuck = new Map<string, { readonly pause: number; readonly until: number }>()
  return async ({ database, log }) => {
    const now = performance.now()
    const folders = processes.folders().filter(id => (stuck.get(id)?.until ?? 0) <= now)
    if (folders.length === 0) return false
    for (const { id, host, pid, started, activityId } of await goneRunners(database, folders)) {
      const lives = host === processes.host && pid !== null && started !== null && processes.isAlive({ pid, started })
      const why = lives ? undefined : await cleanupFailure(processes, id)
      if (why === undefined) {
        if (!lives) stuck.delete(id)
        continue
      }
      const pause = Math.min((stuck.get(id)?.pause ?? firstPause / 2) * 2, longestPause)
      stuck.set(id, { pause, until: performance.now() + pause })
      log.warn({ runner: id, why, retryInSeconds: pause / 1000 }, 'removing the folder of a runner failed; retrying')
      if (activityId) await database.transaction(tx => work.cleanupFailed(tx, { id, activityId }, why))
    }
    return false
  }
}

/** One that cannot be removed holds up no other. */
async function cleanupFailure(processes: Pick<ProcessRunners, 'remove'>, id: string): Promise<string | undefined> {
  try {
    if (await processes.remove(id)) return undefined
    return 'something in its folder could not be removed by the user of its steps'
  } catch (error) {
    return (error as Error).message
  }
}
