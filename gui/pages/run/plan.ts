import type { ApprovalRule } from '../../components/decision/approvals.ts'
import type { Branch } from '../../components/tree/tree-rows.ts'

/** Step of a plan, as the API describes it. */
export interface PlannedStep {
  readonly step_name: string
  readonly full_path: string
  readonly action: string | null
  readonly step_type: string
  readonly child_execution_strategy: string
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly children: readonly PlannedStep[]
  /** Of a step of a workflow: what it runs, and where. */
  readonly detail?: string
  /** Of a step of a workflow: kind of activity of its original that it retries. */
  readonly retries?: 'change' | 'workflow_run'
  /** Of a step of a workflow: why what it would retry is refused. */
  readonly refusal?: string
  /** Of a step of a workflow: the steps of the change or run that it retries, or of the run that it keeps. */
  readonly nested?: StepPlan
}

/** Steps of a plan, of a change or a workflow run. */
export interface StepPlan {
  readonly steps: PlannedStep
  /** Of a retry: full paths of the steps that it takes over. */
  readonly kept_steps?: readonly string[]
  /** Of a retry: full paths of the steps to run whose earlier approvals are enough. */
  readonly approved_steps?: readonly string[]
}

/** Predecessors that a plan names at most. */
export const mostPredecessors = 100

/** What a plan says about the start and the duration of an activity. */
export interface Outlook {
  readonly same_name_predecessors: readonly string[]
  readonly slots: { readonly pool: string; readonly configured_limit: number; readonly claimed_count: number }
  readonly estimated_seconds: number | null
}

/** Plan of a change that has not been created. */
export interface Plan extends StepPlan, Outlook {
  readonly plan_sha: string
  readonly action: string
  readonly parent_path: string
  readonly git_remote_name: string | null
  readonly commit_sha: string
  readonly template_version: string | null
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly converged_properties: Readonly<Record<string, unknown>> | null
}

/** Step of a plan as its tree shows it. */
export interface PlanNode {
  readonly step: PlannedStep
  /** Whether a retry takes it over as it ended. */
  readonly isKept: boolean
  /** Whether its earlier approvals are enough for a retry. */
  readonly isApproved: boolean
  /** Glob that skips it; undefined for steps of a change or run that a step retries. */
  readonly skipPath: string | undefined
}

/**
 * Tree of the steps of a plan. Those of a change or run that a step retries, and of a run that it keeps, are below it.
 *
 * @param skipPathOf glob that skips a step
 */
export const planTree = (plan: StepPlan, skipPathOf: (step: PlannedStep) => string): Branch<PlanNode>[] =>
  branchesOf(plan, [plan.steps], { above: '', isAboveKept: false, skipPathOf })

interface Above {
  /** Beginning of the ids. */
  readonly above: string
  readonly isAboveKept: boolean
  readonly skipPathOf?: (step: PlannedStep) => string
}

function branchesOf(
  { kept_steps, approved_steps }: StepPlan,
  steps: readonly PlannedStep[],
  { above, skipPathOf, ...place }: Above,
): Branch<PlanNode>[] {
  const [kept, approved] = [new Set(kept_steps), new Set(approved_steps)]
  const branchOf = (step: PlannedStep, isAboveKept: boolean): Branch<PlanNode> => {
    const { full_path: path, children, nested } = step
    const isKept = isAboveKept || kept.has(path)
    const id = `${above}${path}`
    const inside = nested && branchesOf(nested, ownSteps(nested), { above: `${id} › `, isAboveKept: isKept })
    return {
      id,
      item: { step, isKept, isApproved: approved.has(path), skipPath: skipPathOf?.(step) },
      children: inside ?? children.map(child => branchOf(child, isKept)),
    }
  }
  return steps.map(step => branchOf(step, place.isAboveKept))
}

/** The steps of a nested change or run without its root, which stands for the step above it, unless people approve that. */
const ownSteps = ({ steps }: StepPlan): readonly PlannedStep[] =>
  steps.requires_approval_from.length > 0 ? [steps] : steps.children

/** Full paths that skip the steps of a change: without the approval that the settings put above the action. */
export function skipPathsOf({ action, steps }: Plan): (step: PlannedStep) => string {
  const hasApprovalAbove = steps.action === null && steps.children.some(child => child.action === action)
  const unskippable = hasApprovalAbove ? steps.full_path.length + 1 : 0
  return ({ full_path: path }) => path.slice(unskippable)
}

/** Full paths of the steps of a change, as its starting step and its skip mask name them. */
export function stepPathsOf(plan: Plan): string[] {
  const paths = ({ item, children }: Branch<PlanNode>): string[] => [item.skipPath!, ...children.flatMap(paths)]
  return planTree(plan, skipPathsOf(plan)).flatMap(paths)
}

/** How many steps that run something a retry keeps, and how many it runs again: steps of runs, not of their changes. */
export function keptCounts(tree: readonly Branch<PlanNode>[]): { kept: number; again: number } {
  let [kept, again] = [0, 0]
  const count = ({ item, children }: Branch<PlanNode>): void => {
    const isChange = item.step.retries === 'change'
    if (!isChange) for (const child of children) count(child)
    if ((children.length > 0 && !isChange) || item.step.skip_requested) return
    if (item.isKept) kept += 1
    else again += 1
  }
  for (const branch of tree) count(branch)
  return { kept, again }
}

/** Step that needs approvals, with its full path. */
export interface NeededApproval {
  readonly path: string
  readonly rules: readonly ApprovalRule[]
  /** Whether it had been approved in the activity that is retried. */
  readonly isAgain: boolean
}

/**
 * Approvals that a plan needs, in the order of its steps, without those of kept steps and those that still count.
 *
 * @param given full paths of the steps that were approved in the activity that is retried
 */
export function neededApprovals(tree: readonly Branch<PlanNode>[], given: readonly string[] = []): NeededApproval[] {
  const needed: NeededApproval[] = []
  const add = ({ id, item: { step, isKept, isApproved }, children }: Branch<PlanNode>): void => {
    if (step.requires_approval_from.length > 0 && !isKept && !isApproved)
      needed.push({ path: id, rules: step.requires_approval_from, isAgain: given.includes(id) })
    for (const child of children) add(child)
  }
  for (const branch of tree) add(branch)
  return needed
}

/** Full paths of the steps with approvals, from the attribute `approved_by` of an activity. */
export const approvedSteps = (approvals: unknown): string[] =>
  ((approvals ?? []) as readonly { readonly step?: string }[]).flatMap(({ step }) => (step === undefined ? [] : [step]))
