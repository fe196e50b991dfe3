import type { JsonObject } from '#platform/documents/document.ts'

export type RunnerKind = 'process' | 'container' | 'kubernetes'

/** Kinds that this release has drivers for. */
export const driverKinds: readonly RunnerKind[] = ['process']

/** Kind of spare runners, and of those for background tasks. */
export const spareKind: RunnerKind = 'process'

/** Options that a runner is started with; copied from the settings when its activity is created. */
export interface RunnerOptions {
  /** Whether steps run in bubblewrap. False: they run outside of it even if it is installed. */
  sandbox?: boolean
  /** Seconds without contact after which it stops its steps, if they differ from the default. */
  silence_seconds?: number
}

const usualSilence = 60

/**
 * Options of a runner from converged settings. A spare runner is assigned only to work with the same options, so
 * defaults are left out: processes of an earlier release do not know them.
 */
export function runnerOptions(settings: JsonObject): RunnerOptions {
  const silence = Number(settings['runner.silence_seconds'] ?? usualSilence)
  return {
    sandbox: settings['runner.sandbox'] !== false,
    ...(silence !== usualSilence && { silence_seconds: silence }),
  }
}

/** Seconds without contact after which a runner with these options stops its steps. */
export const silenceOf = ({ silence_seconds }: RunnerOptions): number => silence_seconds ?? usualSilence

/** Runner requested by the admission of an activity. */
export interface WantedRunner {
  activityId: string
  /** The one step that it runs; null: all steps of the activity. */
  stepId: string | null
  site: string
  kind: RunnerKind
  options: object
}

/** A runner with work, and a connection to this process. */
export interface LiveRunner {
  readonly id: string
  /** Work of the runner: an activity, or a background task. */
  readonly activityId: string
  readonly of: 'activity' | 'task'
  /** The one step of the activity that it runs; null: all of its steps. */
  readonly stepId: string | null
  /** Number of its session; messages of an older one are refused. */
  readonly session: number
}

/** Spare runner, connected to this process, that has no work yet (docs/adr/0025). */
export interface SpareRunner {
  readonly id: string
  readonly activityId: null
  readonly of: 'nothing'
  readonly stepId: null
  readonly session: number
}

/** Holder of a runner, as its row has it. */
export type Holder =
  | Pick<LiveRunner, 'activityId' | 'of' | 'stepId'>
  | Pick<SpareRunner, 'activityId' | 'of' | 'stepId'>

/** Permanent name of a process: its number and its start (field 22 of /proc/<pid>/stat), on one boot of one host. */
export interface ProcessName {
  host: string
  pid: number
  started: number
}
