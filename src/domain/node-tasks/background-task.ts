import type { Readable } from 'node:stream'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import type { Result, StepToRun } from '#protocol/runner-protocol.ts'

/** Slot pool of the tasks that derive the actions of a node. */
export const derivationPool = 'actions_refresh'

export const taskTypes = [
  'GenerateActionsRequest',
  'BuildAgentImageTask',
  'GenerateModelTask',
  'StartAgentTask',
  'StopAgentTask',
] as const
export type TaskTypeName = (typeof taskTypes)[number]

export const taskStatuses = ['initializing', 'running', 'success', 'error', 'cancelled'] as const

/** Work on an asset, agent or template version that goes on by itself, as it is stored. */
export interface BackgroundTask {
  readonly id: string
  readonly task_type: TaskTypeName
  readonly status_code: (typeof taskStatuses)[number]
  readonly node_id: string | null
  readonly template_version_id: string | null
  readonly template_version_history_id: string | null
  readonly project_id: string
  readonly path: string
  readonly site: string
  readonly pool: string
  readonly attempt: number
  readonly fence: number
  /** Whether it is about the node itself: neither for a template version nor for a change that is being prepared. */
  readonly about_node: boolean
  /** The change that was admitted, and in whose slot it runs; null: it stands in line for one of its own. */
  readonly activity_id: string | null
  /** Reason for its creation: request, template_version_change, float, template_version, change … */
  readonly trigger: string | null
  /** Input of the task, as its type wrote it. */
  readonly input: string | null
  readonly cancelled_by: string | null
  readonly created_by: string
  readonly user_id: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scope_project_id: string | null
}

/** How a task ended. Of an error, why. */
export type Ending =
  | { readonly status: 'success' }
  | { readonly status: 'error'; readonly error: string }
  | { readonly status: 'cancelled' }

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
   * Asked when it may begin, in the transaction that starts it. `ended`: there is nothing to do (any more), and no slot is
   * taken. `input`: what it will do, stored with it.
   */
  readonly begin?: (
    tx: Tx,
    task: BackgroundTask,
  ) => Promise<{ readonly ended: Ending } | { readonly input?: string | null }>
  readonly work: RunnerTask | ServiceTask
  /**
   * Handles the end of the task (events, notifying whoever waits for it), in the transaction that ends it, however it
   * ends.
   */
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

/** The service's own work. It may be killed anywhere, and begins anew then: until `keep` it has changed nothing. */
export interface ServiceTask {
  readonly in: 'service'
  readonly run: (task: BackgroundTask, about: ServiceTaskRuntime) => Promise<Made>
}

export interface ServiceTaskRuntime {
  readonly database: Database
  /** The task is cancelled, another process has taken it over, or this one stops: end soon, however. */
  readonly signal: AbortSignal
  /** Writes lines into its log. */
  readonly say: (message: string) => Promise<void>
}

export interface Made {
  readonly ending: Ending
  /** Stores what it made, in the transaction that ends it; not called when it was cancelled or superseded meanwhile. */
  readonly keep?: (tx: Tx) => Promise<void>
}

export const typeOf = (types: readonly TaskType[], { task_type }: Pick<BackgroundTask, 'task_type'>): TaskType => {
  const type = types.find(({ name }) => name === task_type)
  if (!type) throw new Error(`no work is known of tasks of the type ${task_type}`)
  return type
}
