import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moments of a runner between two effects that belong together, for tests that let it die there: like those of the
 * service (src/platform/failpoints.ts), and armed in the same way. `of` is the process that dies.
 */
export const failpoints = {
  'supervisor-started': { of: 'supervisor', has: 'the runner runs', hasNot: 'it has dialled the service' },
  'run-received': { of: 'supervisor', has: 'a step has come', hasNot: 'anything of it runs' },
  'body-spawned': { of: 'supervisor', has: 'a body runs', hasNot: 'its end is awaited' },
  'body-wrote': { of: 'supervisor', has: 'a body has written something', hasNot: 'that is taken' },
  'log-spooled': { of: 'supervisor', has: 'log lines are in the spool', hasNot: 'they are sent' },
  'body-exited': { of: 'supervisor', has: 'a body has ended', hasNot: 'its step has a result' },
  'result-spooled': { of: 'supervisor', has: 'a result is in the spool', hasNot: 'it is sent' },
  'result-sent': { of: 'supervisor', has: 'a result is sent', hasNot: 'it is acknowledged' },
  'cancel-heard': {
    of: 'supervisor',
    has: 'the runner receives the cancel of a step',
    hasNot: 'the step is being ended',
  },
  'all-acknowledged': { of: 'supervisor', has: 'everything is said and acknowledged', hasNot: 'the runner has left' },
  'copy-unpacked': { of: 'executor', has: 'the working copy is unpacked', hasNot: 'the supervisor knows' },
  'left-collected': { of: 'executor', has: 'what a step left has been looked at', hasNot: 'the supervisor knows' },
} as const

export type Failpoint = keyof typeof failpoints

const variable = 'SLUICE_TEST_FAILPOINTS'
const folder = process.env[variable]

/** Environment variables that arm the failpoints of the executor. Processes that it starts do not get them. */
export const failpointEnvironment: Readonly<Record<string, string>> = folder ? { [variable]: folder } : {}

/** Dies, or pauses, when a file in the folder requests it. Without the folder this costs a function call. */
export const failpoint: (name: Failpoint) => void = folder ? armedIn(folder) : () => {}

function armedIn(folder: string): (name: Failpoint) => void {
  const times = new Map<Failpoint, number>()
  return name => {
    const file = join(folder, name)
    try {
      const [how, nth = '1'] = readFileSync(file, 'utf8').trim().split(' ')
      times.set(name, (times.get(name) ?? 0) + 1)
      if (times.get(name)! < Number(nth)) return
      // Only one process can rename it.
      renameSync(file, `${file}.reached`)
      process.kill(process.pid, how === 'pause' ? 'SIGSTOP' : 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
