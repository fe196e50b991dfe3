import fc from 'fast-check'
import { type Asset, type Library, libraries } from './plan.ts'

/** Deeds on one run and its children; `which` selects one of the possible targets. */
export type Deed =
  | { readonly what: 'take' | 'reject' | 'pause' | 'resume' | 'cancel'; readonly which: number }
  | { readonly what: 'end'; readonly which: number; readonly ended: 'success' | 'error' }
  | { readonly what: 'decide'; readonly which: number; readonly by: number }
  | { readonly what: 'time' }

export interface Part {
  readonly deeds: readonly Deed[]
  /** Outcome of bodies that no deed has ended. */
  readonly luck: readonly ('success' | 'error')[]
}

export interface Retry extends Part {
  readonly globs: readonly string[] | undefined
  readonly where: Asset | undefined
}

export interface History extends Part {
  readonly library: Library
  readonly globs: readonly string[]
  readonly where: Asset | undefined
  readonly retries: readonly Retry[]
}

const which = fc.nat(11)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ what: fc.constant('take'), which }) },
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constant('end'),
      which,
      ended: fc.constantFrom('success', 'success', 'success', 'error'),
    }),
  },
  { weight: 7, arbitrary: fc.record({ what: fc.constant('decide'), which, by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('reject'), which }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('time') }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constantFrom('pause', 'resume', 'resume', 'cancel'), which }) },
)

const globs = fc.array(fc.constantFrom('a', 'B*', '*-1', 'FRONT'), { minLength: 0, maxLength: 2 })
const places = fc.constantFrom<Asset | undefined>(undefined, 'side')
const part = {
  deeds: fc.array(deed, { minLength: 5, maxLength: 16 }),
  luck: fc.array(fc.constantFrom('success', 'success', 'success', 'error'), { minLength: 4, maxLength: 8 }),
}

export const histories: fc.Arbitrary<History> = fc.record({
  library: libraries,
  globs: fc.oneof({ weight: 2, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: globs }),
  where: places,
  ...part,
  retries: fc.array(
    fc.record({
      globs: fc.option(globs, { nil: undefined, freq: 2 }),
      where: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: places }),
      ...part,
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
