import { workflowEditor as texts } from '../../messages/workflows.ts'

/** Step of a workflow, as the API shows it in versions and answers of `validate`. */
export interface ShownStep {
  readonly type: 'change' | 'wait' | 'workflow' | 'stage'
  readonly name: string
  /** Line of the source. */
  readonly line?: number
  readonly targets?: readonly string[]
  readonly action?: string
  readonly template_versions?: readonly string[]
  readonly git_remote_name?: string | null
  readonly git_rev?: string | null
  readonly start_time?: string | null
  readonly property_overrides?: unknown
  readonly run_as?: 'sequential' | 'parallel'
  readonly ignore_failure?: boolean
  readonly seconds?: unknown
  readonly requires_approval_from?: {
    readonly user_names?: unknown
    readonly ldap_groups?: unknown
    readonly required_approvals?: unknown
  } | null
  readonly target?: string
  readonly version?: unknown
  readonly children?: readonly ShownStep[]
}

export type PreviewKind = 'change' | 'wait' | 'approval' | 'workflow' | 'stage'

/** Step of the preview. */
export interface PreviewStep {
  /** Positions from the root down, which identify the step. */
  readonly key: string
  readonly kind: PreviewKind
  readonly name: string
  readonly line: number | undefined
  /** Paths of the nodes of a change. */
  readonly targets: readonly string[]
  /** Short facts: seconds, approvers, start time. */
  readonly facts: readonly string[]
  /** Whether its children, or its several targets, run at the same time. */
  readonly isParallel: boolean
  readonly children: readonly PreviewStep[]
}

/** Steps of the preview, in their order. */
export const previewOf = (steps: readonly ShownStep[], parent = ''): PreviewStep[] =>
  steps.map((step, i) => {
    const key = `${parent}${i}`
    const children = previewOf(step.children ?? [], `${key}.`)
    const targets = step.targets ?? []
    const several = children.length > 1 || targets.length > 1 || runsOf(step) > 1
    return {
      key,
      kind: kindOf(step),
      name: step.name,
      line: step.line,
      targets,
      facts: factsOf(step),
      isParallel: several && step.run_as === 'parallel',
      children,
    }
  })

/** Number of steps with all below them. */
export const countSteps = (steps: readonly PreviewStep[]): number =>
  steps.reduce((sum, { children }) => sum + 1 + countSteps(children), 0)

const kindOf = ({ type, requires_approval_from: approval }: ShownStep): PreviewKind =>
  type === 'wait' && approval ? 'approval' : type

/** Number of runs that a workflow step starts: one for each entry of its overrides. */
const runsOf = ({ type, property_overrides: overrides }: ShownStep): number =>
  type === 'workflow' && Array.isArray(overrides) ? overrides.length : 1

function factsOf(step: ShownStep): string[] {
  const facts: (string | false)[] = []
  if (step.type === 'wait') facts.push(waitFact(step))
  if (step.type === 'workflow') {
    facts.push(step.version !== null && step.version !== undefined && texts.runsVersion(textOf(step.version)))
    facts.push(runsOf(step) > 1 && texts.times(runsOf(step)))
  }
  if (step.git_remote_name && step.git_rev) facts.push(texts.revision(step.git_remote_name, step.git_rev))
  if (step.template_versions?.length) facts.push(texts.templateVersions(step.template_versions.join(', ')))
  if (step.start_time) facts.push(texts.startsAt(step.start_time))
  if (step.ignore_failure) facts.push(texts.ignoresFailure)
  // Generated names say it already: "wait 60 s".
  return facts.filter(fact => fact !== false).filter(fact => !step.name.includes(fact))
}

function waitFact({ seconds, requires_approval_from: approval }: ShownStep): string {
  if (approval) {
    const names = [approval.user_names, approval.ldap_groups].flatMap(namesOf).join(', ')
    return texts.approvalBy(textOf(approval.required_approvals ?? 1), names)
  }
  return seconds === null || seconds === undefined ? texts.waitManual : texts.waitSeconds(textOf(seconds))
}

/** Names of a list, or the placeholder that stands for one. */
const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf) : value === null || value === undefined ? [] : [textOf(value)]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
