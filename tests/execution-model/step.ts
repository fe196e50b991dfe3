import type { Plan } from './plan.ts'

/** A step as the judge sees it. */
export class Step {
  readonly plan: Plan
  readonly parent: Step | undefined
  readonly name: string
  children: Step[] = []
  status = 'pending'
  /** State of its own part, a body or a wait. `passed`: skipped; `stopped`: by a cancel or a rejection. */
  own: 'todo' | 'runs' | 'done' | 'passed' | 'failed' | 'stopped' = 'todo'
  parallel: boolean
  isSkipped = false
  isDue = false
  rejected = false
  madeChildren = false
  attempt = 0
  approvals: string[] = []
  /** Full paths that the mask names, including added steps. */
  readonly mask: Mask

  constructor(plan: Plan, name: string, parent: Step | undefined, mask: Mask) {
    this.plan = plan
    this.name = name
    this.parent = parent
    this.parallel = plan.parallel
    this.mask = mask
  }

  get path(): string {
    return this.parent ? `${this.parent.path}/${this.name}` : this.name
  }

  get place(): number {
    return this.parent ? this.parent.children.indexOf(this) : 0
  }

  get ignoreFailure(): boolean {
    return this.plan.ignoreFailure
  }

  get wakesUp(): boolean {
    return this.plan.kind === 'timer' || (this.mask.autoContinue && needsNobody(this.plan))
  }

  add(plans: readonly Plan[], replaces: boolean): void {
    if (replaces) this.children = []
    // Also none instead of all: its body has set its children.
    if (plans.length > 0 || replaces) this.madeChildren = true
    plant(this, plans)
  }
}

/** Requests that affect the whole change. */
export interface Mask {
  readonly globs: readonly string[]
  readonly autoContinue: boolean
}

export const tree = (plan: Plan, mask: Mask): Step => {
  const root = new Step(plan, plan.name.replaceAll('/', '_'), undefined, mask)
  plant(root, plan.children)
  return root
}

/** Steps of these plans below one, as its last children. */
function plant(parent: Step, plans: readonly Plan[]): void {
  const names = namesOf(
    plans.map(({ name }) => name.replaceAll('/', '_')),
    parent.children.map(({ name }) => name),
  )
  for (const [at, plan] of plans.entries()) {
    const step = new Step(plan, names[at]!, parent, parent.mask)
    parent.children.push(step)
    step.isSkipped = isMasked(step)
    plant(step, plan.children)
  }
}

function namesOf(names: readonly string[], taken: readonly string[]): string[] {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const used = [...taken]
  const isAlone = (name: string) => [...taken, ...names].filter(other => same(name, other)).length === 1
  return names.map(name => {
    let number = 1
    while (used.some(other => same(other, `${name}-${number}`))) number += 1
    const own = isAlone(name) ? name : `${name}-${number}`
    used.push(own)
    return own
  })
}

export const stepsOf = (root: Step): Step[] => [root, ...root.children.flatMap(stepsOf)]

export const isMasked = (step: Step): boolean =>
  step.plan.kind !== 'approval' && above(step).some(each => step.mask.globs.some(glob => matches(glob, each.path)))

const above = (step: Step): Step[] => [...(step.parent ? above(step.parent) : []), step]

/** `**` matches any text, `*` any within a name. */
function matches(glob: string, path: string): boolean {
  const pattern = glob
    .split('**')
    .map(part => part.replaceAll('*', '[^/]*'))
    .join('.*')
  return new RegExp(`^${pattern}$`, 'i').test(path)
}

const needsNobody = ({ kind, hasDefault }: Plan): boolean => kind === 'wait' || (kind === 'input' && hasDefault)
