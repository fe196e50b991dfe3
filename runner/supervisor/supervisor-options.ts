import type { limits as defaults, RunnerStart } from '../../protocol/runner-protocol.ts'

export type SupervisorOptions = {
  runnerId: string
  serviceUrl: string
  /** The runner's own folder: its spool and, in `work`, what belongs to its steps. */
  folder: string
  start: RunnerStart
  limits: { [Limit in keyof typeof defaults]: number } & {
    /** Milliseconds without contact to the service after which the runner stops its steps. */
    silenceMilliseconds: number
    hangMilliseconds: number
    longestPause: number
  }
}
