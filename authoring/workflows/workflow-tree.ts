import type { JsonObject } from '#platform/documents/document.ts'

export type WorkflowStepType = 'change' | 'wait' | 'workflow' | 'stage'
export type RunAs = 'sequential' | 'parallel'

/** Approvers of an approval step; at least one is named. */
export interface WorkflowApprovers {
  readonly user_names: readonly string[]
  readonly ldap_groups: readonly string[]
  readonly required_approvals: number
}

/** A step of a workflow with its properties inserted. Fields that a type has no key for are empty or absent. */
export interface WorkflowStep {
  readonly type: WorkflowStepType
  /** Name as given, or generated from the step's work; siblings with the same name (case ignored) end in -1, -2. */
  readonly name: string
  /** Line of the source in which it begins, counted from 1. */
  readonly line: number
  /** Order in which children run: those of a stage, the targets of a change or the overrides of a workflow. */
  readonly run_as: RunAs
  readonly ignore_failure: boolean
  readonly children: readonly WorkflowStep[]
  /** Absolute paths of the nodes that a change targets. */
  readonly targets: readonly string[]
  readonly action?: string
  /** Template versions: none, one for all targets, or one for each. */
  readonly template_versions: readonly string[]
  readonly git_remote_name?: string
  readonly git_rev?: string
  /** A time with its zone (ISO 8601), or a time of day: `02:00`, `02:00:30 Europe/Vienna` (`startsAt`). */
  readonly start_time?: string
  /** Property overrides: at most one for a change; a workflow runs once for each, and once without any. */
  readonly property_overrides: readonly JsonObject[]
  /** Code of the workflow that it runs, which belongs to the same project. */
  readonly workflow?: string
  /** A published version of that workflow; absent: the latest published. */
  readonly version?: number
  /** Seconds after which a wait continues by itself. */
  readonly seconds?: number
  readonly reset_on_retry: boolean
  readonly requires_approval_from?: WorkflowApprovers
}

/** A line and a column of the source, counted from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/**
 * A step as it is written: texts may contain `{{path}}`, which is replaced by a number in `version` and `seconds`, by a
 * whole document or a list of them in `property_overrides`, and in a list of texts also by a whole list.
 */
export interface WrittenStep
  extends Omit<WorkflowStep, 'children' | 'version' | 'seconds' | 'property_overrides' | 'requires_approval_from'> {
  readonly children: readonly WrittenStep[]
  readonly version?: number | string
  readonly seconds?: number | string
  readonly property_overrides: readonly (JsonObject | string)[]
  readonly requires_approval_from?: Omit<WorkflowApprovers, 'required_approvals'> & {
    readonly required_approvals: number | string
  }
  /** Name as given; without one, `name` is generated. */
  readonly given_name?: string
  /** Places of its values, by name: `action`, `targets/0`, `property_overrides/1/release`. */
  readonly places: Readonly<Record<string, WrittenPlace>>
}

/** `pointer`: the place as JSON, `/steps/0/children/2/action`; empty for the whole. */
export interface WrittenPlace extends Place {
  readonly pointer: string
}

/** One fault of the source. */
export interface WorkflowError extends WrittenPlace {
  readonly message: string
}

/** A member that is absent if there is no value. */
export const optional = <K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [key in K]: V })
