import fc from 'fast-check'

/** A step of a random workflow, in the words of the specification; `where` and `{{where}}` refer to a property. */
export interface Plan {
  readonly name: string
  readonly kind: 'change' | 'wait' | 'timer' | 'approval' | 'workflow' | 'stage'
  readonly parallel: boolean
  readonly ignoreFailure: boolean
  readonly resetOnRetry: boolean
  /** Whether a change or nested run starts half an hour after the beginning of the history. */
  readonly later: boolean
  /** Number of `approvers` whose approval is required. */
  readonly approvals: number
  readonly action: Action
  readonly targets: readonly Place[]
  /** A nested workflow: how many levels below this one, and the overrides of each of its runs. */
  readonly down: number
  readonly overrides: readonly Place[]
  readonly children: readonly Plan[]
}

export type Action = keyof typeof actions
export type Asset = 'front' | 'back' | 'side'
export type Place = 'front' | '{{where}}'

export const approvers = ['eve', 'fay', 'gus'] as const
/** Value of the property `where` unless a run overrides it. */
export const usualPlace: Asset = 'back'

/** Actions of changes: one body; a wait and a body; an approval and a body; two bodies at once. */
export const actions = {
  plain: 'run: "true"',
  asks: 'steps: [{ wait: Look }, plain]',
  guarded: 'steps: [{ wait: Look, approvers: { user_names: [eve] } }, plain]',
  pair: 'run_as: parallel, steps: [plain, { name: other, run_as: sequential, steps: [plain] }]',
} as const

const seldom = fc.integer({ min: 0, max: 3 }).map(one => one === 0)

/** Few names, so that siblings share some and masks match; few targets and actions, so that changes share names too. */
const { plans } = fc.letrec<{ plans: Plan }>(tie => ({
  plans: fc.record({
    name: fc.constantFrom('a', 'b', 'C'),
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant('change' as const) },
      { weight: 4, arbitrary: fc.constant('stage' as const) },
      { weight: 4, arbitrary: fc.constant('workflow' as const) },
      { weight: 3, arbitrary: fc.constantFrom('wait', 'timer', 'approval', 'approval') },
    ),
    parallel: fc.boolean(),
    ignoreFailure: seldom,
    resetOnRetry: fc.boolean(),
    later: fc.integer({ min: 0, max: 9 }).map(one => one === 0),
    approvals: fc.integer({ min: 1, max: 2 }),
    action: fc.constantFrom('plain', 'plain', 'plain', 'asks', 'guarded', 'pair'),
    targets: fc.constantFrom<readonly Place[]>(['front'], ['{{where}}'], ['front', '{{where}}']),
    down: fc.integer({ min: 1, max: 2 }),
    overrides: fc.constantFrom<readonly Place[]>([], ['front'], ['{{where}}'], ['front', '{{where}}']),
    children: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(tie('plans'), { minLength: 1, maxLength: 3 }) },
    ),
  }),
}))

/** The last one runs no other; each runs those after it. */
export type Library = readonly (readonly Plan[])[]

export const libraries: fc.Arbitrary<Library> = fc
  .tuple(
    fc.array(plans, { minLength: 2, maxLength: 4 }),
    fc.array(plans, { minLength: 1, maxLength: 2 }),
    fc.array(plans, { minLength: 1, maxLength: 2 }),
  )
  .map(workflows => workflows.map((steps, level) => steps.map(plan => within(plan, workflows.length - 1 - level))))

/**
 * Limits plans to `below` workflows further down; a step without any of them, or a group without children, becomes a
 * change.
 */
function within(plan: Plan, below: number): Plan {
  const isNothing = (plan.kind === 'workflow' && below === 0) || (plan.kind === 'stage' && plan.children.length === 0)
  const kind = isNothing ? 'change' : plan.kind
  const children = kind === 'stage' ? plan.children.map(child => within(child, below)) : []
  // A nested workflow has no such key.
  const ignoreFailure = plan.ignoreFailure && kind !== 'workflow'
  return { ...plan, kind, ignoreFailure, down: Math.min(plan.down, below), children }
}

/** The source of a workflow; `codes` are those of the library from it on. */
export const sourceOf = (plans: readonly Plan[], codes: readonly string[], startTime: string): string =>
  // JSON is YAML.
  JSON.stringify({ steps: plans.map(plan => written(plan, codes, startTime)) })

function written(plan: Plan, codes: readonly string[], startTime: string): object {
  const { name, kind, later } = plan
  const run_as = plan.parallel ? 'parallel' : 'sequential'
  const start = later && { start_time: startTime }
  if (kind === 'stage') {
    const children = plan.children.map(child => written(child, codes, startTime))
    return { name, run_as, ignore_failure: plan.ignoreFailure, children }
  }
  if (kind === 'change') {
    const { action, ignoreFailure } = plan
    const paths = plan.targets.map(place => `environments/live/assets/${place}`)
    const where = paths.length === 1 ? { target: paths[0] } : { targets: paths, run_as }
    return { name, ...where, action, ignore_failure: ignoreFailure, ...start }
  }
  if (kind === 'workflow') {
    const overrides = plan.overrides.map(where => ({ where }))
    const given = overrides.length === 1 ? overrides[0] : overrides
    const each = overrides.length > 0 && { property_overrides: given, ...(overrides.length > 1 && { run_as }) }
    return { type: 'workflow', name, target: codes[plan.down], ...each, ...start }
  }
  const { resetOnRetry: reset_on_retry } = plan
  if (kind !== 'approval') return { type: 'wait', name, reset_on_retry, ...(kind === 'timer' && { seconds: 60 }) }
  const requires_approval_from = { user_names: [...approvers], required_approvals: plan.approvals }
  return { type: 'wait', name, reset_on_retry, requires_approval_from }
}
