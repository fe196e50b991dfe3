import type { WorkflowStep } from '#authoring/workflows/workflow-tree.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { globMatcher, mostWork } from '../changes/index.ts'
import { treeRows } from '../steps/for-workflow-runs.ts'
import type { StepDefinition } from '../steps/index.ts'

/** Child that a step of a run creates, with the fields that the step's record shows. */
export interface Making {
  /** Paths of nodes, for a change; for a step that creates several, all of them. */
  readonly targets: readonly string[]
  readonly action: string | null
  readonly template_version: string | null
  readonly git_remote_name: string | null
  readonly git_rev: string | null
  /** Start time as in the workflow: a time, or a time of day. */
  readonly start_time: string | null
  /** Code of the workflow that it runs. */
  readonly workflow: string | null
  readonly version: number | null
  readonly property_overrides: JsonObject
  /** Overrides that replace those of the retried child, in a retry. */
  readonly retry_overrides?: JsonObject
  /** Whether the retry has another start time than the retried child. */
  readonly retry_starts_anew?: true
}

/** The tree of a run with the makings of its steps in reading order; null for stages and waits. */
export interface RunTree {
  readonly root: StepDefinition
  readonly makings: readonly (Making | null)[]
}

interface Planned {
  readonly step: StepDefinition
  readonly making: Making | null
  readonly children: readonly Planned[]
}

/**
 * The steps that a run of a workflow stores. A step with several targets, or a workflow with several overrides, becomes
 * a step above one for each: so each has its own status, and a retry repeats those that failed.
 *
 * @returns undefined when `skip` names all of it (`withNameMask`)
 */
export function runTree(name: string, steps: readonly WorkflowStep[], skip: readonly string[]): RunTree | undefined {
  const all = planned(stage(name, 'sequential', false), null, steps.map(plan))
  const root = withNameMask(all.step, skip)
  return root && { root, makings: makingsOf(all) }
}

/** Makings of a tree, by step. */
export const makingsByStep = ({ root, makings }: RunTree): ReadonlyMap<StepDefinition, Making | null> =>
  new Map(treeRows([root]).map(({ step }, at) => [step, makings[at]!]))

/** Makings of a tree, by full path. */
export const makingsByPath = ({ root, makings }: RunTree): ReadonlyMap<string, Making | null> =>
  new Map(treeRows([root]).map(({ full_path }, at) => [full_path, makings[at]!]))

const makingsOf = (each: Planned): (Making | null)[] => [each.making, ...each.children.flatMap(makingsOf)]

/**
 * Marks the steps whose name matches one of the globs (case-insensitive), and all of their descendants. Approval steps
 * are never marked.
 *
 * @returns the tree, or undefined when the mask would skip its root
 */
export function withNameMask<Step extends StepDefinition>(root: Step, globs: readonly string[]): Step | undefined {
  const work = mostWork()
  const masks = globs.map(globMatcher)
  const isNamed = ({ step_name }: StepDefinition) =>
    masks.some(matches => matches(step_name.replaceAll('/', '_'), work))
  const mark = <Each extends StepDefinition>(step: Each, above: boolean): Each => {
    const named = above || isNamed(step)
    const asked = (step.requires_approval_from ?? []).length > 0
    return { ...step, skip_requested: named && !asked, children: step.children.map(child => mark(child, named)) }
  }
  return isNamed(root) ? undefined : mark(root, false)
}

function plan(step: WorkflowStep): Planned {
  return plans[step.type](step)
}

const plans: Readonly<Record<WorkflowStep['type'], (step: WorkflowStep) => Planned>> = {
  stage: step => planned(stage(step.name, step.run_as, step.ignore_failure), null, step.children.map(plan)),
  wait: step => planned(waitOf(step), null, []),
  change: step =>
    severalOf(
      step,
      step.targets.map((target, at) => ofTarget(step, target, at)),
    ),
  workflow: step => severalOf(step, ofOverrides(step)),
}

interface One {
  readonly name: string
  readonly making: Making
}

function severalOf(step: WorkflowStep, each: readonly One[]): Planned {
  const type = step.type as 'change' | 'workflow'
  const [first, ...others] = each
  if (first && others.length === 0) {
    return planned(maker(type, step.name, step.ignore_failure), first.making, [])
  }
  const above = { ...stage(step.name, step.run_as, step.ignore_failure), step_type: type }
  const all: Making = {
    ...making(step),
    targets: step.targets,
    template_version: new Set(step.template_versions).size === 1 ? step.template_versions[0]! : null,
  }
  return planned(
    above,
    all,
    each.map(one => planned(maker(type, one.name, false), one.making, [])),
  )
}

const ofTarget = (step: WorkflowStep, target: string, at: number): One => ({
  name: target.split('/').at(-1)!,
  making: {
    ...making(step),
    targets: [target],
    template_version: step.template_versions[step.template_versions.length === 1 ? 0 : at] ?? null,
    property_overrides: step.property_overrides[0] ?? {},
  },
})

const ofOverrides = (step: WorkflowStep): One[] =>
  (step.property_overrides.length === 0 ? [{}] : step.property_overrides).map(overrides => ({
    name: step.workflow!,
    making: { ...making(step), property_overrides: overrides },
  }))

const making = (step: WorkflowStep): Making => ({
  targets: [],
  action: step.action ?? null,
  template_version: null,
  git_remote_name: step.git_remote_name ?? null,
  git_rev: step.git_rev ?? null,
  start_time: step.start_time ?? null,
  workflow: step.workflow ?? null,
  version: step.version ?? null,
  property_overrides: {},
})

const planned = (step: StepDefinition, making: Making | null, children: readonly Planned[]): Planned => ({
  step: { ...step, children: children.map(child => child.step) },
  making,
  children,
})

const stage = (
  name: string,
  runAs: StepDefinition['child_execution_strategy'],
  ignoreFailure: boolean,
): StepDefinition => ({
  action: null,
  step_name: name,
  description: null,
  step_type: 'stage',
  child_execution_strategy: runAs,
  ignore_failure: ignoreFailure,
  definition: null,
  children: [],
})

/** Step that creates a child: its body is the child; the making is stored encrypted with the step. */
const maker = (type: 'change' | 'workflow', name: string, ignoreFailure: boolean): StepDefinition => ({
  ...stage(name, 'sequential', ignoreFailure),
  step_type: type,
  definition: {},
})

function waitOf(step: WorkflowStep): StepDefinition {
  const { requires_approval_from: approvers, seconds, reset_on_retry } = step
  return {
    ...stage(step.name, 'sequential', step.ignore_failure),
    step_type: 'wait',
    reset_on_retry,
    ...(seconds !== undefined && { wait: { seconds } }),
    ...(approvers && { requires_approval_from: [approvers] }),
  }
}
