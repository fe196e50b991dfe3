/**
 * Protocol between the supervisor and a process that runs a repository's programs: jobs and their ends, as lines of
 * JSON. Replies come from a process that runs users' code, and are trusted no further than that.
 */

/** Descriptors of the process: the lines of `step.log`, and its jobs. 3 is the supervisor's. */
export const hostDescriptors = { log: 4, messages: 5 } as const

export interface ModuleJob {
  /** The action to run; null: list all that there are. */
  action: string | null
  /** The program, from the repository's root. Empty: nothing is run, as a rehearsal of all that is around it. */
  file: string
  /** The folder of the repository to work in. */
  folder: string
  /** Name of the step's folder. */
  step: string
  /** Content of step_context.json. Without it the folder is already prepared. */
  context?: string
  /** Variables added to the environment that the process was started with. */
  env: Record<string, string>
}

/** `hidden`: all that was to be hidden so far is. */
export type ToModuleHost = ModuleJob | 'end' | 'hidden'

export type FromModuleHost =
  /** Sent once in a process's life: its first body is loaded, and runs. */
  | { loaded: true }
  /**
   * `alone`: nothing that the body started is left. `kept`: the process has laid out the step's folder, found nothing else
   * in it, and takes it for its next step.
   */
  | { done: true; alone: boolean; kept: boolean }
  | { failed: string; exitCode: number | null }
  /** Secret that the body was given, which its log must not show. Answered by `hidden`. */
  | { hide: string }

/** A message as it came, made sure of; undefined when it is none. */
export function readFromHost(message: unknown): FromModuleHost | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { loaded, done, alone, kept, failed, exitCode, hide } = message as Record<string, unknown>
  if (typeof hide === 'string') return { hide }
  if (loaded === true) return { loaded }
  if (done === true) return { done, alone: alone === true, kept: kept === true }
  if (typeof failed !== 'string') return undefined
  return { failed, exitCode: Number.isSafeInteger(exitCode) ? (exitCode as number) : null }
}
