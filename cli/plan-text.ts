import { coloured, cutTo, plainLine } from './plain-text.ts'

interface ApprovalRule {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
}

/** Step of a plan, of a change or a workflow run. */
export interface PlannedStep {
  /** Steps of workflow runs. */
  readonly name?: string
  readonly targets?: readonly string[]
  readonly template_version?: string | null
  readonly workflow_code?: string | null
  readonly retries?: boolean
  /** Plan of the change or run that it retries, or of the run that it keeps; null where it is not known. */
  readonly nested_plan?: NestedPlan | null
  /** Reason why its retry is refused. */
  readonly retry_refusal?: string
  /** Steps of changes. */
  readonly step_name?: string
  readonly full_path: string
  readonly step_type: string
  readonly action: string | null
  readonly child_execution_strategy: string
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly children: readonly PlannedStep[]
}

/** Steps of a plan, and which of them a retry keeps. */
interface NestedPlan {
  readonly steps: PlannedStep
  readonly kept_steps?: readonly string[]
  readonly approved_steps?: readonly string[]
}

/** Plan of a change or a workflow run, as the API returns it. */
export interface Plan extends NestedPlan {
  readonly plan_sha: string
  readonly parent_path: string
  readonly same_name_predecessors: readonly string[]
  readonly slots: { readonly pool: string; readonly configured_limit: number; readonly claimed_count: number }
  readonly estimated_seconds: number | null
  /** Changes. */
  readonly action?: string
  readonly commit_sha?: string
  readonly template_version?: string | null
  /** Workflow runs. */
  readonly workflow_code?: string
  readonly version?: number
}

/** Output of a plan: a terminal gets colors, and steps cut to its width. */
interface Screen {
  readonly isTerminal: boolean
  readonly width: number
}

/** Formats a plan: what it runs, its steps as a tree, and what it would wait for. */
export function planText(plan: Plan, { isTerminal, width }: Screen): string {
  const rows = rowsOf(plan)
  const steps = rows.map(row => {
    const text = plainLine(stepText(row))
    const cut = isTerminal ? cutTo(text, width) : text
    const colour = colourOf(row)
    return isTerminal && colour !== undefined ? coloured(colour, cut) : cut
  })
  const facts = factsOf(plan, rows)
  const labels = Math.max(...facts.map(([name]) => name.length)) + 2
  const lines = [
    titleOf(plan),
    // As the attribute is written when it is bound to a change or run.
    `plan_sha: ${plan.plan_sha}`,
    '',
    ...steps,
    '',
    ...facts.map(([name, text]) => plainLine(`${`${name}:`.padEnd(labels)}${text}`)),
  ]
  return `${lines.join('\n')}\n`
}

function titleOf({ action, workflow_code: workflow, version, parent_path: path, kept_steps: kept }: Plan): string {
  const what = action ?? `${workflow}, version ${version}`
  return plainLine(`${kept ? 'Retry of ' : ''}${what} ${action === undefined ? 'in' : 'on'} ${path}`)
}

interface Row {
  readonly step: PlannedStep
  readonly depth: number
  readonly isKept: boolean
  /** Whether it is a step of a change that is retried by a step of a run. */
  readonly isOfChange: boolean
  readonly isApproved: boolean
}

/** Place of a step in the tree. */
interface Place {
  readonly depth: number
  readonly isKept: boolean
  readonly isOfChange: boolean
}

/**
 * Steps in the order of the tree. Steps below a kept one are kept as well.
 */
function rowsOf(plan: NestedPlan): Row[] {
  return rowsBelow(plan, [plan.steps], { depth: 0, isKept: false, isOfChange: false })
}

function rowsBelow(
  { kept_steps = [], approved_steps = [] }: NestedPlan,
  steps: readonly PlannedStep[],
  at: Place,
): Row[] {
  const [kept, approved] = [new Set(kept_steps), new Set(approved_steps)]
  const walk = (step: PlannedStep, { depth, isOfChange, ...above }: Place): Row[] => {
    const isKept = above.isKept || kept.has(step.full_path)
    const below = { depth: depth + 1, isKept, isOfChange }
    const nested = step.nested_plan
    const inside = nested && rowsBelow(nested, ownSteps(nested), { ...below, isOfChange: step.step_type === 'change' })
    return [
      { step, depth, isKept, isOfChange, isApproved: approved.has(step.full_path) },
      ...(inside ?? step.children.flatMap(child => walk(child, below))),
    ]
  }
  return steps.flatMap(step => walk(step, at))
}

/** The steps of a nested change or run without its root, which stands for the step above it, unless people approve that. */
const ownSteps = ({ steps }: NestedPlan): readonly PlannedStep[] =>
  steps.requires_approval_from.length > 0 ? [steps] : steps.children

const asksApproval = ({ step, isKept, isApproved }: Row): boolean =>
  step.requires_approval_from.length > 0 && !isKept && !isApproved

function stepText(row: Row): string {
  const { step, depth, isKept, isApproved } = row
  const { retries, skip_requested: isSkipped } = step
  const details = [
    runsWhat(step),
    step.child_execution_strategy === 'parallel' && step.children.length > 1 && 'in parallel',
    isKept ? 'kept' : isSkipped && 'skipped',
    retries && !isSkipped && !isKept && (step.step_type === 'workflow' ? 'retries its run' : 'retries its change'),
    step.retry_refusal !== undefined && `would fail: ${step.retry_refusal}`,
    isApproved && !isKept && 'approved already',
    asksApproval(row) && step.requires_approval_from.map(approvalText).join(', '),
    step.ignore_failure && 'continues after a failure',
  ]
  const text = details.filter(Boolean).join(', ')
  return `${'  '.repeat(depth)}${markOf(row)} ${step.name ?? step.step_name}${text === '' ? '' : `  ${text}`}`
}

function runsWhat({
  step_type: type,
  action,
  name,
  targets = [],
  template_version: version,
  workflow_code,
}: PlannedStep) {
  if (type === 'workflow') return `runs ${workflow_code}`
  if (type === 'wait' || type === 'input') return type === 'wait' ? 'waits' : 'asks for input'
  // The action of a step of a change is its name.
  if (action === null || name === undefined) return undefined
  const nodes = targets.map(target => target.split('/').at(-1)).join(', ')
  return `${action} on ${nodes}${version ? ` (${version})` : ''}`
}

function markOf(row: Row): string {
  if (row.isKept) return '✔'
  if (row.step.skip_requested) return '-'
  return row.step.retries ? '↻' : asksApproval(row) || row.step.step_type === 'wait' ? '…' : '·'
}

/** SGR color of a step: gray if it does not run, yellow if it waits, cyan if it retries something. */
function colourOf(row: Row): number | undefined {
  if (row.isKept || row.step.skip_requested) return 90
  return asksApproval(row) ? 33 : row.step.retries ? 36 : undefined
}

const approvalText = ({ user_names: users = [], ldap_groups: groups = [], required_approvals = 1 }: ApprovalRule) => {
  const names = [...users, ...groups.map(group => `group ${group}`)].join(', ')
  return `${required_approvals === 1 ? '1 approval' : `${required_approvals} approvals`}${names && ` from ${names}`}`
}

function factsOf(plan: Plan, rows: readonly Row[]): (readonly [string, string])[] {
  const { slots, same_name_predecessors: behind, estimated_seconds: seconds } = plan
  const running = rows.filter(
    ({ step, isOfChange }) => !isOfChange && !hasStepsOfRun(step) && step.children.length === 0 && !step.skip_requested,
  )
  const kept = running.filter(({ isKept }) => isKept).length
  const isFull = slots.claimed_count >= slots.configured_limit
  const queue =
    behind.length > 0
      ? `behind ${behind.length} of the same name`
      : isFull
        ? 'all slots are in use: it will wait for one'
        : 'starts at once'
  const approvals = rows.filter(asksApproval)
  return [
    ...(plan.kept_steps
      ? [['Steps', `keeps ${counted(kept)} that succeeded, runs ${counted(running.length - kept)} again`] as const]
      : []),
    ...(plan.commit_sha === undefined
      ? []
      : [
          [
            'Commit',
            `${plan.commit_sha.slice(0, 8)}${plan.template_version ? ` (${plan.template_version})` : ''}`,
          ] as const,
        ]),
    ['Approvals', approvals.length === 0 ? 'none needed' : `needed by ${counted(approvals.length)}`],
    ['Queue', queue],
    ['Slots', `${slots.claimed_count} of ${slots.configured_limit} in use (${slots.pool})`],
    ['Usually takes', seconds === null ? 'unknown: it has not succeeded yet' : durationText(seconds)],
  ]
}

const hasStepsOfRun = ({ step_type: type, nested_plan: nested }: PlannedStep): boolean =>
  type === 'workflow' && (nested?.steps.children ?? []).length > 0

const counted = (count: number): string => (count === 1 ? '1 step' : `${count} steps`)

function durationText(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toFixed(1))} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3_600).toFixed(1))} h`
}
