import type { ApprovalRule } from '../../components/decision/approvals.ts'
import type { Branch } from '../../components/tree/tree-rows.ts'

/** Step of a plan, as the API describes it. */
export interface PlannedStep {
  readonly step_name: string
  readonly action: string | null
  readonly step_type: string
  readonly child_execution_strategy: string
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly children: readonly PlannedStep[]
}

/** Plan of a change that has not been created. */
export interface Plan {
  readonly plan_sha: string
  readonly action: string
  readonly parent_path: string
  readonly git_remote_name: string | null
  readonly commit_sha: string
  readonly template_version: string | null
  readonly steps: PlannedStep
  /** Of a retry: full paths of the steps that it takes over. */
  readonly kept_steps?: readonly string[]
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly converged_properties: Readonly<Record<string, unknown>> | null
  readonly same_name_predecessors: readonly string[]
  readonly slots: { readonly pool: string; readonly configured_limit: number; readonly claimed_count: number }
  readonly estimated_seconds: number | null
}

/** Step of a plan as its tree shows it. */
export interface PlanNode {
  readonly step: PlannedStep
  /** Whether a retry takes it over as it ended. */
  readonly isKept: boolean
  /** Path that skips it: without the approval that the settings put above the action. */
  readonly skipPath: string
}

/** Tree of the steps of a plan. */
export function planTree({ action, steps, kept_steps: kept = [] }: Plan): Branch<PlanNode>[] {
  const keptPaths = new Set(kept)
  const hasApprovalAbove = steps.action === null && steps.children.some(child => child.action === action)
  const unskippable = hasApprovalAbove ? steps.step_name.length + 1 : 0
  const branchOf = (step: PlannedStep, above: string, isAboveKept: boolean): Branch<PlanNode> => {
    const id = above === '' ? step.step_name : `${above}/${step.step_name}`
    const isKept = isAboveKept || keptPaths.has(id)
    return {
      id,
      item: { step, isKept, skipPath: id.slice(unskippable) },
      children: step.children.map(child => branchOf(child, id, isKept)),
    }
  }
  return [branchOf(steps, '', false)]
}

/** How many steps that run something a retry keeps, and how many it runs again. */
export function keptCounts(plan: Plan): { kept: number; again: number } {
  let [kept, again] = [0, 0]
  const count = ({ item, children }: Branch<PlanNode>): void => {
    for (const child of children) count(child)
    if (children.length > 0 || item.step.skip_requested) return
    if (item.isKept) kept += 1
    else again += 1
  }
  for (const branch of planTree(plan)) count(branch)
  return { kept, again }
}

/** Step that needs approvals, with its full path. */
export interface NeededApproval {
  readonly path: string
  readonly rules: readonly ApprovalRule[]
}

/** Approvals that a plan needs, in the order of its steps; those of kept steps are not asked for again. */
export function neededApprovals(plan: Plan): NeededApproval[] {
  const needed: NeededApproval[] = []
  const add = ({ id, item: { step, isKept }, children }: Branch<PlanNode>): void => {
    if (step.requires_approval_from.length > 0 && !isKept) needed.push({ path: id, rules: step.requires_approval_from })
    for (const child of children) add(child)
  }
  for (const branch of planTree(plan)) add(branch)
  return needed
}
