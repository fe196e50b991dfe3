import type { Readable } from 'node:stream'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import type { Result, StepToRun } from '#protocol/runner-protocol.ts'
import type { BackgroundTask, Ending, TaskTypeName } from './background-task.ts'

/**
 * A type of background task: its pool and its work; everything else (admission, maintenance, slots, fences, cancelling,
 * log lines, lost runners, restarts) is the same for all types. Added by one entry in the list that `templatesDomain`
 * gets (docs/adr/0033).
 */
export interface TaskType {
  readonly name: TaskTypeName
  /** Pool whose slots it takes (`slot_pools`). */
  readonly pool: string
  /** Event of a cancel by a person; recorded with that person as actor. */
  readonly cancelEvent: string
  /**
   * Decides how a task begins, when it may begin, in the transaction that starts it. `ended`: there is nothing to do
   * (any more), and no slot is taken. `input`: its work, stored with it.
   */
  readonly begin?: (
    tx: Tx,
    task: BackgroundTask,
  ) => Promise<{ readonly ended: Ending } | { readonly input?: string | null }>
  readonly work: RunnerTask | ServiceTask
  /** Handles the end of the task (events, notifications), in the transaction that ends it, however it ends. */
  readonly ended: (tx: Tx, task: BackgroundTask, ending: Ending) => Promise<void>
}

/** User code: it runs in a runner, as one attempt of one step. */
export interface RunnerTask {
  readonly in: 'runner'
  readonly commit: (queries: Queries, task: BackgroundTask) => Promise<string>
  readonly archive: (task: BackgroundTask, commit: string) => Promise<Readable>
  readonly step: (tx: Tx, task: BackgroundTask) => Promise<StepToRun>
  /** Stores the runner's result, and returns how the task has ended. */
  readonly keep: (tx: Tx, task: BackgroundTask, result: Result) => Promise<Ending>
}

/**
 * Work of the service itself. It may be killed at any point, and then starts again: before `keep` it has changed
 * nothing.
 */
export interface ServiceTask {
  readonly in: 'service'
  readonly run: (task: BackgroundTask, about: ServiceTaskRuntime) => Promise<Made>
}

export interface ServiceTaskRuntime {
  readonly database: Database
  /** Aborted when the task is cancelled, another process has taken it over, or this one stops: end soon. */
  readonly signal: AbortSignal
  /** Writes lines into its log. */
  readonly say: (message: string) => Promise<void>
}

export interface Made {
  readonly ending: Ending
  /** Stores the result, in the transaction that ends it; not called when it was cancelled or superseded meanwhile. */
  readonly keep?: (tx: Tx) => Promise<void>
}
