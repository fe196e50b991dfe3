import type { limits as defaults, RunnerStart } from '../../protocol/runner-protocol.ts'

export type SupervisorOptions = {
  runnerId: string
  serviceUrl: string
  /** The runner's own folder: its spool and, in `work`, what belongs to its steps. */
  folder: string
  start: RunnerStart
  limits: { [Limit in keyof typeof defaults]: number } & {
    /** The runner stops its steps after so long without contact to the service. */
    silenceMilliseconds: number
    hangMilliseconds: number
    longestPause: number
  }
}
