import type { Activity } from './activity.ts'
import { type Action, type Asset, type Place, type Plan, usualPlace } from './plan.ts'

/** The child that a step creates. */
export type Makes =
  | { readonly kind: 'change'; readonly asset: Asset; readonly action: Action }
  | { readonly kind: 'run'; readonly down: number; readonly where: Asset | undefined }

/** A step of a run as the judge sees it. */
export class Step {
  readonly plan: Plan
  readonly name: string
  readonly parent: Step | undefined
  /** Undefined for a wait, and for a group. */
  readonly makes: Makes | undefined
  children: Step[] = []
  status = 'pending'
  /** `passed`: the step is skipped, but not its descendants. */
  own: 'todo' | 'runs' | 'done' | 'passed' = 'todo'
  /** Whether a mask names it or an ancestor. */
  isNamed = false
  isSkipped = false
  isDue = false
  wasRejected = false
  approvals: string[] = []
  /** Child of the step, or in a retry the successful child of the original step. */
  made: Activity | undefined
  /** The child that it retries. */
  tries: Activity | undefined

  constructor(plan: Plan, name: string, parent?: Step, makes?: Makes) {
    this.plan = plan
    this.name = name
    this.parent = parent
    this.makes = makes
  }

  get path(): string {
    return this.parent ? `${this.parent.path}/${this.name}` : this.name
  }

  get elders(): Step[] {
    return this.parent ? this.parent.children.slice(0, this.parent.children.indexOf(this)) : []
  }

  get isWait(): boolean {
    return ['wait', 'timer', 'approval'].includes(this.plan.kind)
  }

  get isOver(): boolean {
    return finals.includes(this.status)
  }

  get endedBadly(): boolean {
    return this.isOver && this.status !== 'success' && this.status !== 'skipped'
  }

  get reported(): string {
    if (this.status === 'waiting' && this.plan.kind === 'approval') return 'waiting_for_approval'
    return this.status === 'aborted' && this.wasRejected ? 'rejected' : this.status
  }
}

const finals = ['success', 'skipped', 'error', 'cancelled', 'aborted', 'system_error']

export const stepsOf = (root: Step): Step[] => [root, ...root.children.flatMap(stepsOf)]

/** Steps of a run of these plans; its root is named after the workflow. */
export function runTree(plans: readonly Plan[], given: Given): Step {
  const root = new Step({ ...group, children: plans }, given.codes[0]!)
  plant(root, plans, given)
  return root
}

export interface Given {
  /** The property, as the run overrides it. */
  readonly where: Asset | undefined
  readonly globs: readonly string[]
  /** Codes of its workflow, and of those further down. */
  readonly codes: readonly string[]
}

const group: Plan = {
  name: '',
  kind: 'stage',
  parallel: false,
  ignoreFailure: false,
  resetOnRetry: false,
  later: false,
  approvals: 0,
  action: 'plain',
  targets: [],
  down: 0,
  overrides: [],
  children: [],
}

function plant(parent: Step, plans: readonly Plan[], given: Given): void {
  const names = numbered(plans.map(({ name }) => name))
  for (const [at, plan] of plans.entries()) {
    const all = made(plan, given)
    const step = add(parent, plan, [names[at]!, names[at]!], given, all.length === 1 ? all[0] : undefined)
    if (plan.kind === 'stage') plant(step, plan.children, given)
    if (all.length > 1) plantEach(step, all, given)
  }
}

/** Each of several targets or overrides has a step of its own below; a failure of one fails the whole. */
function plantEach(parent: Step, all: readonly Makes[], given: Given): void {
  const plan = { ...parent.plan, ignoreFailure: false }
  const called = all.map(makes => (makes.kind === 'change' ? makes.asset : given.codes[makes.down]!))
  const names = numbered(called)
  for (const [at, makes] of all.entries()) add(parent, plan, [names[at]!, called[at]!], given, makes)
}

/** @param names its name among its siblings, and the name that masks match */
function add(parent: Step, plan: Plan, names: readonly [string, string], { globs }: Given, makes?: Makes): Step {
  const step = new Step(plan, names[0], parent, makes)
  parent.children.push(step)
  step.isNamed = parent.isNamed || globs.some(glob => matches(glob, names[1]))
  step.isSkipped = step.isNamed && plan.kind !== 'approval'
  return step
}

function made({ kind, targets, action, down, overrides }: Plan, { where }: Given): Makes[] {
  const placed = (place: Place): Asset => (place === 'front' ? place : (where ?? usualPlace))
  if (kind === 'change') return targets.map(place => ({ kind, asset: placed(place), action }))
  if (kind !== 'workflow') return []
  if (overrides.length === 0) return [{ kind: 'run', down, where: undefined }]
  return overrides.map(place => ({ kind: 'run', down, where: placed(place) }))
}

/** Siblings of one name are numbered. */
function numbered(names: readonly string[]): string[] {
  return names.map((name, at) => {
    const isOfThem = (other: string) => other.toLowerCase() === name.toLowerCase()
    return names.filter(isOfThem).length === 1 ? name : `${name}-${names.slice(0, at + 1).filter(isOfThem).length}`
  })
}

const matches = (glob: string, name: string): boolean => new RegExp(`^${glob.replaceAll('*', '.*')}$`, 'i').test(name)
