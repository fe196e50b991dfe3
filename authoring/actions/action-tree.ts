import {
  type ActionCatalogue,
  type ActionDefinition,
  findAction,
  prerequisitesOf,
  type RunAs,
  type StepEntry,
} from './action.ts'

/** Step with all of its descendants, as the engine receives it. */
export interface StepDefinition {
  readonly action: string | null
  readonly step_name: string
  /** Names from the root, joined by `/`. */
  readonly full_path: string
  readonly description: string | null
  readonly step_type: 'standard' | 'wait' | 'input' | 'stage'
  readonly child_execution_strategy: RunAs
  readonly ignore_failure: boolean
  readonly definition: StepBodies | null
  readonly wait: { readonly seconds?: number; readonly until?: string } | null
  readonly requires_approval_from: readonly object[]
  readonly input_arguments: readonly object[]
  readonly children: readonly StepDefinition[]
}

/** Bodies of a step: those of its prerequisites, then its own; templates in values of env are not resolved. */
export interface StepBodies {
  readonly bodies: readonly StepBody[]
  readonly timeout_seconds: number | null
}

/** A script, or a body that a program of the repository declares under the action's name. */
type StepBody =
  | {
      readonly action: string
      readonly run: string
      readonly interpreter: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly action: string; readonly module: string }

/**
 * The tree of an action, with every name of an action replaced by that action's definition. Undefined if there is none.
 */
export function stepTree(catalogue: ActionCatalogue, action: string): StepDefinition | undefined {
  const root = findAction(catalogue, action)
  return root && { ...ofAction(catalogue, root, pathPart(root.step_name)) }
}

/** Action as shown, with its other declarations. Texts are empty if a stage, a wait or an input has none. */
export type ActionObject = {
  readonly action: string
  readonly description: string
  readonly step_name: string
  readonly [member: string]: unknown
}

/** Action objects as the API shows them: those with a description, which are meant for people. */
export const actionObjects = (catalogue: ActionCatalogue): ActionObject[] =>
  catalogue.actions
    .filter(({ description }) => description !== null)
    .map(action => asObject(catalogue, ofAction(catalogue, action, pathPart(action.step_name))))

function ofAction(catalogue: ActionCatalogue, action: ActionDefinition, full_path: string): StepDefinition {
  const bodies = [...prerequisitesOf(name => findAction(catalogue, name)!, action), action].flatMap(bodyOf)
  return {
    ...nothing,
    action: action.action,
    step_name: action.step_name,
    full_path,
    description: action.description,
    step_type: bodies.length === 0 ? 'stage' : 'standard',
    child_execution_strategy: action.run_as,
    ignore_failure: action.ignore_failure,
    definition: bodies.length === 0 ? null : { bodies, timeout_seconds: action.timeout_seconds },
    children: childrenOf(catalogue, action.steps, full_path),
  }
}

function bodyOf({ action, run, module, interpreter, env }: ActionDefinition): StepBody[] {
  if (module !== undefined) return [{ action, module }]
  return run === null ? [] : [{ action, run, interpreter, env }]
}

const nothing = {
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  definition: null,
  wait: null,
  requires_approval_from: [],
  input_arguments: [],
} as const

/** Steps of a list of entries, outside of any tree: their paths begin with their own names. */
export const stepsOfEntries = (catalogue: ActionCatalogue, entries: readonly StepEntry[]): StepDefinition[] =>
  childrenOf(catalogue, entries, '')

function childrenOf(catalogue: ActionCatalogue, entries: readonly StepEntry[], above: string): StepDefinition[] {
  const names = entries.map(entry =>
    pathPart(entry.kind === 'action' ? (entry.name ?? findAction(catalogue, entry.action)!.step_name) : entry.name),
  )
  const parts = distinctNames(names)
  return entries.map((entry, i) => ofEntry(catalogue, entry, `${above}/${parts[i]}`))
}

function ofEntry(catalogue: ActionCatalogue, entry: StepEntry, full_path: string): StepDefinition {
  if (entry.kind === 'action') {
    const step = ofAction(catalogue, findAction(catalogue, entry.action)!, full_path)
    return entry.name === undefined ? step : { ...step, step_name: entry.name }
  }
  const base = {
    ...nothing,
    action: null,
    step_name: entry.name,
    full_path,
    description: entry.description,
    step_type: entry.kind,
    children: childrenOf(catalogue, entry.steps, full_path),
  }
  if (entry.kind === 'stage')
    return { ...base, child_execution_strategy: entry.run_as, ignore_failure: entry.ignore_failure }
  if (entry.kind === 'input') return { ...base, input_arguments: entry.arguments }
  const { seconds, until, approvers } = entry
  return {
    ...base,
    wait:
      seconds === null && until === null
        ? null
        : { ...(seconds !== null && { seconds }), ...(until !== null && { until }) },
    requires_approval_from: approvers ? [approvers] : [],
  }
}

/** Name as a part of a path: a `/` would look like a separator. */
const pathPart = (name: string): string => name.replaceAll('/', '_')

/** Siblings with the same name (case ignored) get -1, -2 …, skipping results that another sibling already has. */
export function distinctNames(names: readonly string[]): string[] {
  const lower = (name: string) => name.toLowerCase()
  const alone = new Set([...Map.groupBy(names, lower)].filter(([, same]) => same.length === 1).map(([name]) => name))
  const used = new Set(alone)
  // Number at which the search for a free one continues: with 20,000 siblings of one name, none restarts at 1.
  const next = new Map<string, number>()
  return names.map(name => {
    if (alone.has(lower(name))) return name
    let number = next.get(lower(name)) ?? 1
    while (used.has(lower(`${name}-${number}`))) number += 1
    next.set(lower(name), number + 1)
    used.add(lower(`${name}-${number}`))
    return `${name}-${number}`
  })
}

/** Whether a step has a body of its own, apart from its prerequisites. */
const hasOwnBody = (catalogue: ActionCatalogue, { action }: StepDefinition): boolean =>
  action !== null && bodyOf(findAction(catalogue, action)!).length > 0

/** Step as an action object, with `children` and the strategy if it has steps. */
function asObject(catalogue: ActionCatalogue, step: StepDefinition): ActionObject {
  const needs = step.action === null ? [] : findAction(catalogue, step.action)!.needs
  return {
    action: step.action ?? '',
    step_name: step.step_name,
    full_path: step.full_path,
    description: step.description ?? '',
    pre_reqs: needs,
    stage_step: step.children.length > 0 && !hasOwnBody(catalogue, step),
    ignore_failure: step.ignore_failure,
    ...(step.children.length > 0 && {
      children: step.children.map(child => asObject(catalogue, child)),
      child_execution_strategy: step.child_execution_strategy,
    }),
  }
}
