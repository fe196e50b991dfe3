import fc from 'fast-check'
import { type Plan, type Rewriting, rewritings, somePlans, trees } from './plan.ts'

/** Deeds on a change; `which` selects one of the possible targets. */
export type Deed =
  | { readonly what: 'take'; readonly atMost: number }
  | { readonly what: 'end'; readonly which: number; readonly ended: 'success' | 'error' | 'cancelled' }
  | {
      readonly what: 'add'
      readonly which: number
      readonly added: readonly Plan[]
      readonly replaces: boolean
      readonly parallel: boolean | undefined
    }
  | { readonly what: 'decide'; readonly which: number; readonly by: number }
  | { readonly what: 'reject'; readonly which: number }
  | { readonly what: 'time' | 'pause' | 'resume' | 'cancel' | 'lose' }

export interface Retry {
  readonly globs: readonly string[] | undefined
  readonly approvalsCount: boolean
  /** The tree of a newer commit: another one, or a variation of the first. */
  readonly refreshed: Plan | Rewriting | undefined
  readonly deeds: readonly Deed[]
  readonly luck: readonly ('success' | 'error')[]
}

export interface History {
  readonly tree: Plan
  readonly globs: readonly string[]
  readonly startingStep: number | undefined
  readonly autoContinue: boolean
  readonly atOnce: number
  readonly restarts: boolean
  readonly deeds: readonly Deed[]
  readonly luck: readonly ('success' | 'error')[]
  readonly retries: readonly Retry[]
}

const which = fc.nat(5)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ what: fc.constant('take'), atMost: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 14,
    arbitrary: fc.record({
      what: fc.constant('end'),
      which,
      ended: fc.constantFrom('success', 'success', 'success', 'error', 'cancelled'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('add'),
      which,
      added: somePlans(3),
      replaces: fc.boolean(),
      parallel: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('decide'), which, by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('reject'), which }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('time') }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('pause', 'resume', 'cancel', 'lose') }) },
)
const globs = fc.array(fc.constantFrom('r/a', '**/b*', 'R/*/c', '**/d_e/**', 'r/b/*'), { minLength: 0, maxLength: 2 })
const deeds = fc.array(deed, { minLength: 5, maxLength: 14 })
/** Outcome of bodies that no deed has ended. */
const luck = fc.array(fc.constantFrom('success', 'success', 'success', 'error'), { minLength: 4, maxLength: 8 })

const seldom = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })

export const histories: fc.Arbitrary<History> = fc.record({
  tree: trees,
  globs: fc.oneof(fc.constant<string[]>([]), globs),
  startingStep: seldom(fc.nat(6)),
  autoContinue: fc.boolean(),
  atOnce: fc.integer({ min: 1, max: 4 }),
  restarts: fc.boolean(),
  deeds,
  luck,
  retries: fc.array(
    fc.record({
      globs: fc.option(globs, { nil: undefined, freq: 2 }),
      approvalsCount: fc.boolean(),
      refreshed: seldom(fc.oneof(trees, rewritings)),
      deeds,
      luck,
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
