import type { Readable } from 'node:stream'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import type { Result, StepToRun } from '#protocol/runner-protocol.ts'
import type { BackgroundTask, Ending, TaskTypeName } from './background-task.ts'

/**
 * A type of background task: its pool and its work are all that there is to say of one, everything else (admission,
 * maintenance, slots, fences, cancelling, log lines, lost runners, restarts) is the same for all. Added by one entry in
 * the list that `templatesDomain` is given (docs/adr/0033).
 */
export interface TaskType {
  readonly name: TaskTypeName
  /** Pool whose slots it takes (`slot_pools`). */
  readonly pool: string
  /** The event of a person's cancelling it; recorded with who asked. */
  readonly cancelEvent: string
  /**
   * Decides how a task begins, when it may begin, in the transaction that starts it. `ended`: there is nothing to do
   * (any more), and no slot is taken. `input`: what it will do, stored with it.
   */
  readonly begin?: (
    tx: Tx,
    task: BackgroundTask,
  ) => Promise<{ readonly ended: Ending } | { readonly input?: string | null }>
  readonly work: RunnerTask | ServiceTask
  /** Handles the end of the task (events, notifications), in the transaction that ends it, however it ends. */
  readonly ended: (tx: Tx, task: BackgroundTask, ending: Ending) => Promise<void>
}

/** A user's code: it runs in a runner, as one attempt of one step. */
export interface RunnerTask {
  readonly in: 'runner'
  readonly commit: (queries: Queries, task: BackgroundTask) => Promise<string>
  readonly archive: (task: BackgroundTask, commit: string) => Promise<Readable>
  readonly step: (tx: Tx, task: BackgroundTask) => Promise<StepToRun>
  /** Keeps what the runner reports, and says how the task has ended with it. */
  readonly keep: (tx: Tx, task: BackgroundTask, result: Result) => Promise<Ending>
}

/**
 * The service's own work. It may be killed at any point, and starts again then: until `keep` it has changed nothing.
 */
export interface ServiceTask {
  readonly in: 'service'
  readonly run: (task: BackgroundTask, about: ServiceTaskRuntime) => Promise<Made>
}

export interface ServiceTaskRuntime {
  readonly database: Database
  /** Signal that the task is cancelled, another process has taken it over, or this one stops: end soon, however. */
  readonly signal: AbortSignal
  /** Writes lines into its log. */
  readonly say: (message: string) => Promise<void>
}

export interface Made {
  readonly ending: Ending
  /** Stores what it made, in the transaction that ends it; not called when it was cancelled or superseded meanwhile. */
  readonly keep?: (tx: Tx) => Promise<void>
}
