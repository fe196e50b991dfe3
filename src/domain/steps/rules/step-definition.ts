/**
 * A step as the catalogue of actions describes it, with all of its descendants: what `insertTree` stores. The engine
 * does not look inside `definition`; the code that builds the runner's message from it does.
 */
export interface StepDefinition {
  /** The action that it runs; null for stages, waits and inputs. */
  readonly action: string | null
  readonly step_name: string
  readonly description: string | null
  /** Kind of step; those of workflow runs that create a change or a run are `change` and `workflow`. */
  readonly step_type: 'standard' | 'wait' | 'input' | 'stage' | 'change' | 'workflow'
  readonly child_execution_strategy: 'sequential' | 'parallel'
  readonly ignore_failure: boolean
  /** Work to run (prerequisites and body, untemplated), as JSON. Null: the step is a pure group. */
  readonly definition: object | null
  /** End of a wait step that continues by itself: after a number of seconds, or at a time (ISO 8601). */
  readonly wait?: { readonly seconds?: number; readonly until?: string } | null
  /** Rules of approvers; with at least one the step is an approval step. */
  readonly requires_approval_from?: readonly object[]
  /** Arguments that an input step asks for. Stored encrypted, because they may contain sensitive values. */
  readonly input_arguments?: readonly object[]
  /** Whether the skip mask names it. Approval steps are never skipped, whatever the value here. */
  readonly skip_requested?: boolean
  readonly reset_on_retry?: boolean
  /** The last part of its full path, if it already has one: steps of a retry keep their names. */
  readonly segment?: string
  readonly children: readonly StepDefinition[]
}
