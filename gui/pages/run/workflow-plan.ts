import type { ApprovalRule } from '../../components/decision/approvals.ts'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import { run as texts } from '../../messages/run.ts'
import type { Outlook, PlannedStep, StepPlan } from './plan.ts'

/** Step of the plan of a workflow run, as the API describes it. */
export interface PlannedRunStep {
  readonly name: string
  readonly full_path: string
  readonly step_type: string
  readonly child_execution_strategy: string
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly requires_approval_from: readonly ApprovalRule[]
  /** Paths of nodes. */
  readonly targets: readonly string[]
  readonly action: string | null
  readonly template_version: string | null
  readonly workflow_code: string | null
  /** Whether it retries the change or run that its original had created. */
  readonly retries: boolean
  /** Plan of the change or run that it retries, or of the run that it keeps; null where it is not known. */
  readonly nested_plan?: NestedPlan | null
  /** Why it could not be retried now. */
  readonly retry_refusal?: string
  readonly children: readonly PlannedRunStep[]
}

/** Steps of a nested run, or of a change in the form of its own plan. */
interface NestedPlan {
  readonly steps: PlannedRunStep | PlannedStep
  readonly kept_steps: readonly string[]
  readonly approved_steps: readonly string[]
}

/** Plan of a workflow run that has not been created. */
export interface WorkflowPlan extends Outlook {
  readonly plan_sha: string
  readonly parent_path: string
  readonly workflow_code: string
  readonly version: number
  readonly name: string
  readonly steps: PlannedRunStep
  readonly kept_steps?: readonly string[]
  readonly approved_steps?: readonly string[]
}

/** Steps of the plan of a workflow run in the form that those of changes have. */
export const stepPlanOf = ({
  steps,
  kept_steps: kept,
  approved_steps: approved,
}: WorkflowPlan | NestedPlan): StepPlan => ({
  steps: 'name' in steps ? stepOf(steps) : steps,
  ...(kept && { kept_steps: kept }),
  ...(approved && { approved_steps: approved }),
})

function stepOf({ name, nested_plan: nested, retry_refusal: refusal, ...step }: PlannedRunStep): PlannedStep {
  const { targets, workflow_code: workflow, retries, children, ...rest } = step
  const isRun = step.step_type === 'workflow'
  const detail = isRun
    ? texts.runsWorkflow(workflow ?? '')
    : step.action !== null
      ? texts.runsOn(step.action, targets.map(nodeCode), step.template_version)
      : undefined
  return {
    ...rest,
    step_name: name,
    children: children.map(stepOf),
    ...(detail !== undefined && { detail }),
    ...(retries && { retries: isRun ? ('workflow_run' as const) : ('change' as const) }),
    ...(nested && { nested: stepPlanOf(nested) }),
    ...(refusal !== undefined && { refusal }),
  }
}

/** Glob that skips a step of a workflow: its name. */
export const skipNameOf = ({ step_name: name }: PlannedStep): string => name.replaceAll('/', '_')
