import fc from 'fast-check'
import type { StepDefinition } from '../../src/domain/steps/index.ts'

/** A step of a random tree, in the words of the specification. */
export interface Plan {
  readonly name: string
  readonly kind: 'script' | 'stage' | 'wait' | 'timer' | 'input' | 'approval'
  readonly parallel: boolean
  readonly ignoreFailure: boolean
  readonly resetOnRetry: boolean
  /** Number of `approvers` whose approval is required. */
  readonly approvals: number
  /** Whether an input has a default. */
  readonly hasDefault: boolean
  readonly children: readonly Plan[]
}

export const approvers = ['eve', 'fay', 'gus'] as const
const timerSeconds = 60

const kinds = fc.oneof(
  { weight: 8, arbitrary: fc.constant('script' as const) },
  { weight: 5, arbitrary: fc.constant('stage' as const) },
  { weight: 2, arbitrary: fc.constantFrom('wait', 'timer', 'input', 'approval', 'approval') },
)

/** Few names, so that siblings share some, masks match, and another tree has common names. */
const { plans } = fc.letrec<{ plans: Plan }>(tie => ({
  plans: fc.record({
    name: fc.constantFrom('a', 'b', 'C', 'd/e'),
    kind: kinds,
    parallel: fc.boolean(),
    ignoreFailure: fc.integer({ min: 0, max: 3 }).map(one => one === 0),
    resetOnRetry: fc.boolean(),
    approvals: fc.integer({ min: 1, max: 2 }),
    hasDefault: fc.boolean(),
    children: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(tie('plans'), { minLength: 1, maxLength: 3 }) },
    ),
  }),
}))

export const somePlans = (atMost: number) => fc.array(plans, { minLength: 0, maxLength: atMost })

/** The tree of a change. */
export const trees: fc.Arbitrary<Plan> = fc
  .tuple(plans, fc.array(plans, { minLength: 2, maxLength: 4 }))
  .map(([root, children]) => ({ ...root, name: 'r', kind: 'stage' as const, children }))

/** Variation of a tree by another commit. */
export interface Rewriting {
  /** Kinds of its waits in the variation, in reading order, repeated. */
  readonly waits: readonly Pick<Plan, 'kind' | 'approvals' | 'hasDefault'>[]
  /** Whether the children of its root are reversed: steps behind another are then before it. */
  readonly turned: boolean
}

export const rewritings: fc.Arbitrary<Rewriting> = fc.record({
  waits: fc.array(
    fc.record({
      kind: fc.constantFrom('wait', 'timer', 'input', 'approval'),
      approvals: fc.integer({ min: 1, max: 2 }),
      hasDefault: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  turned: fc.boolean(),
})

export function rewritten(tree: Plan, { waits, turned }: Rewriting): Plan {
  let count = 0
  const rewrite = (plan: Plan): Plan => {
    const isWait = plan.kind !== 'script' && plan.kind !== 'stage'
    const other = isWait ? waits[count++ % waits.length] : undefined
    return { ...plan, ...other, children: plan.children.map(rewrite) }
  }
  const root = rewrite(tree)
  return turned ? { ...root, children: root.children.toReversed() } : root
}

/** Definition for the engine. */
export const definitionOf = (plan: Plan): StepDefinition => ({
  action: plan.kind === 'script' ? plan.name : null,
  step_name: plan.name,
  description: null,
  step_type: stepTypes[plan.kind],
  child_execution_strategy: plan.parallel ? 'parallel' : 'sequential',
  ignore_failure: plan.ignoreFailure,
  definition: plan.kind === 'script' ? { bodies: [{ run: plan.name }] } : null,
  ...(plan.kind === 'timer' && { wait: { seconds: timerSeconds } }),
  ...(plan.kind === 'approval' && {
    requires_approval_from: [{ user_names: [...approvers], required_approvals: plan.approvals }],
  }),
  ...(plan.kind === 'input' && {
    input_arguments: [{ name: 'colour', type: 'string', ...(plan.hasDefault && { default_value: 'blue' }) }],
  }),
  reset_on_retry: plan.resetOnRetry,
  children: plan.children.map(definitionOf),
})

const stepTypes = {
  script: 'standard',
  stage: 'stage',
  wait: 'wait',
  timer: 'wait',
  approval: 'wait',
  input: 'input',
} as const
