import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import type { StepDefinition } from './rules/step-definition.ts'
import type { Activity } from './store/activity.store.ts'

export type MaintenanceMode = 'disabled' | 'enabled' | 'superuser_override'

/** Start and end of the runners of an activity. */
export interface RunnerParts {
  readonly runners: {
    /**
     * Requests a runner for the activity or for a step, unless it has one. Nothing is started before the transaction
     * has committed.
     */
    readonly want: (tx: Tx, wanted: WantedRunner) => Promise<unknown>
    /** Releases the runners of the activity, or of these steps: they end when all of their messages are stored. */
    readonly letGo: (tx: Tx, activityId: string, stepIds?: readonly string[]) => Promise<unknown>
  }
}

/** Dependencies of a move of an activity or of its steps. */
export interface AdvanceParts extends RunnerParts {
  /** Writes events in the transaction that changes the states. */
  readonly record: (tx: Tx, events: readonly NewEvent[]) => Promise<void>
}

/** Dependencies of a move of an activity that may not have its tree yet. */
export interface LateTreeParts extends AdvanceParts {
  /** Creation of trees for activities that were queued without one (`admission/deferred-tree.tx.ts`). */
  readonly lateTrees: {
    /**
     * Requests the tree of an admitted activity: it is created after the transaction, and the activity starts, or fails
     * with the reason.
     */
    readonly make: (tx: Tx, activity: Activity) => Promise<unknown>
    /** Stops the program that derives the tree; false if none is running. */
    readonly stop: (tx: Tx, activityId: string, by: string) => Promise<boolean>
  }
}

/** Dependencies of the engine on the folders beside and above it; built once, in main. */
export interface EngineParts extends LateTreeParts {
  readonly keyring: Keyring
  /**
   * SQL that records events as a part of another statement, for the events that meet `only`, a condition on their
   * columns.
   */
  readonly recording: (events: readonly NewEvent[], only: Sql) => Sql
  /** Takes the shared lock that the switch takes exclusively, and reads the mode after it, from the table. */
  readonly maintenanceMode: (tx: Tx) => Promise<MaintenanceMode>
  /** Ids of the users who are superusers at this moment. */
  readonly superusers: (queries: Queries) => Promise<readonly string[]>
  /**
   * Stores the report of a successful body: property patches, outputs. After a conflict nothing is stored, and the step
   * fails with its message. Returns the steps that are to be added below. Called with the activity locked; it may lock
   * owners of properties, by id.
   */
  readonly storeResult: (tx: Tx, step: ReportedStep, result: Result) => Promise<StoredResult>
  /**
   * Decides which of these waiting steps continue when their time has come; called with the activity locked. Steps in
   * `going` continue. The timer asks again about those in `later`; the others wait for a person.
   */
  readonly continued: (
    tx: Tx,
    activity: Activity,
    due: readonly DueStep[],
  ) => Promise<{ readonly going: readonly DueStep[]; readonly later: readonly DueStep[] }>
}

export interface WantedRunner {
  readonly activityId: string
  /** The one step that it runs; null: all of them. */
  readonly stepId: string | null
  readonly site: string
  readonly kind: Activity['runner_kind']
  readonly options: object
}

/** A waiting step whose time has come. */
export interface DueStep {
  readonly id: string
  readonly full_path: string
  readonly wait_seconds: number | null
  /** Input arguments, sealed; null for steps that ask for nothing. */
  readonly input_arguments: Buffer | null
}

export interface ReportedStep {
  readonly id: string
  readonly activity: Activity
  readonly attempt: number
  readonly full_path: string
}

/** A conflict's message is on the step and in the event; `log`, which goes only to the step's log, may say more. */
export type StoredResult =
  | { readonly conflict: string; readonly log?: string }
  | {
      readonly childSteps?: readonly StepDefinition[]
      /** The skip mask to apply to them, a function of full paths. */
      readonly isSkipped?: ((fullPath: string) => boolean) | undefined
    }

/** A step that a runner holds now, under a new fence. */
export interface ClaimedStep {
  readonly id: string
  readonly activity_id: string
  readonly attempt: number
  readonly fence: number
  readonly action: string | null
  readonly step_name: string
  readonly full_path: string
  /** JSON text of `StepDefinition.definition`. */
  readonly definition: string | null
  /** Ancestors of the step, root first, if they were read while advancing the activity. */
  readonly above?: readonly StepAbove[]
}

export interface StepAbove {
  readonly id: string
  readonly step_name: string
  readonly full_path: string
  readonly action: string | null
}

/** The runner that takes steps, and how many at most. */
export interface Claimer {
  readonly runnerId: string
  readonly limit: number
  /** The one step that it is for, if each step has its own runner. */
  readonly stepId?: string | null
}
