import fc from 'fast-check'

/** A random history of a small installation: rounds of deeds, some of them concurrent. */
export type History = readonly Round[]

export interface Round {
  readonly deeds: readonly Deed[]
  /** All at once, or each when the previous ones have ended, are halted or wait for a lock. */
  readonly together: boolean
}

/** A deed of one of the processes. */
export interface Deed {
  readonly what: What
  readonly process: number
  /**
   * Number of the statement at which it halts until every other deed of its round has come as far as it can; and
   * whether it then continues, or its process is killed there.
   */
  readonly halt?: { readonly before: number; readonly and: 'go on' | 'die' }
}

export type What =
  | { readonly do: 'create'; readonly wish: Wish; readonly ready: boolean }
  | { readonly do: 'admit' | 'timers' }
  /** `which` indexes the ended ones. */
  | { readonly do: 'retry'; readonly which: number; readonly ready: boolean }
  /** `which` indexes the unfinished ones. */
  | { readonly do: 'ready' | 'claim' | 'lose' | 'go on' | 'cancel' | 'pause' | 'resume'; readonly which: number }
  | { readonly do: 'report'; readonly which: number; readonly outcome: 'success' | 'error' }
  | { readonly do: 'limit'; readonly pool: Pool; readonly limit: number }
  | { readonly do: 'maintenance'; readonly mode: Mode }
  | { readonly do: 'superuser'; readonly user: User; readonly is: boolean }
  | { readonly do: 'clock'; readonly minutes: number }

export type Mode = 'disabled' | 'enabled' | 'superuser_override'

export const users = ['ada', 'eve', 'root'] as const
export type User = (typeof users)[number]

export const pools = ['runner', 'model'] as const
export type Pool = (typeof pools)[number]

/** Attributes of a new activity. */
export interface Wish {
  readonly kind: 'change' | 'workflow_run'
  readonly name: number
  readonly node: number
  readonly user: User
  readonly underWay: boolean
  readonly allowSameName: boolean
  readonly allowParallel: boolean
  readonly onRunnerLost: 'error' | 'restart'
  /** Whether each of its steps has a slot of its own. */
  readonly stepwise: boolean
  readonly tree: 'step' | 'two steps' | 'three beside' | 'wait first' | 'wait between' | 'timer between' | 'wait beside'
  /** Minutes after its creation before which it does not start. */
  readonly startIn: number
}

/** Number of steps of a change that run at once. */
export const stepsAtOnce = 2

/** Nodes are grouped by pool: each node has one. */
export const poolOf = ({ node }: Pick<Wish, 'node'>): Pool => (node === 2 ? 'model' : 'runner')

const mostly = (value: boolean) => fc.nat(4).map(n => (n === 0 ? !value : value))

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'workflow_run'),
  name: fc.nat(2),
  node: fc.nat(2),
  user: fc.constantFrom(...users),
  underWay: mostly(false),
  allowSameName: mostly(false),
  allowParallel: mostly(true),
  onRunnerLost: fc.constantFrom('error', 'restart'),
  stepwise: fc.nat(2).map(n => n === 0),
  tree: fc.constantFrom(
    'step',
    'step',
    'two steps',
    'three beside',
    'wait first',
    'wait between',
    'timer between',
    'wait beside',
  ),
  startIn: fc.constantFrom(0, 0, 0, 0, 60),
})

const which = fc.nat(30)
const oneOf = <T extends string>(...names: T[]) => fc.constantFrom(...names)

const what: fc.Arbitrary<What> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: oneOf('create'), wish, ready: mostly(true) }) },
  { weight: 6, arbitrary: fc.record({ do: oneOf('admit') }) },
  { weight: 4, arbitrary: fc.record({ do: oneOf('claim'), which }) },
  { weight: 6, arbitrary: fc.record({ do: oneOf('report'), which, outcome: oneOf('success', 'success', 'error') }) },
  { weight: 2, arbitrary: fc.record({ do: oneOf('go on'), which }) },
  { weight: 4, arbitrary: fc.record({ do: oneOf('cancel', 'pause', 'resume', 'lose', 'ready'), which }) },
  { weight: 2, arbitrary: fc.record({ do: oneOf('retry'), which, ready: mostly(true) }) },
  { weight: 2, arbitrary: fc.record({ do: oneOf('limit'), pool: fc.constantFrom(...pools), limit: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: oneOf('maintenance'), mode: oneOf<Mode>('disabled', 'enabled', 'superuser_override') }),
  },
  { weight: 1, arbitrary: fc.record({ do: oneOf('superuser'), user: fc.constantFrom(...users), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: oneOf('clock'), minutes: fc.constantFrom(1, 120) }) },
  { weight: 1, arbitrary: fc.record({ do: oneOf('timers') }) },
)

const halt = fc.record({
  before: fc.integer({ min: 1, max: 14 }),
  and: oneOf('go on', 'go on', 'go on', 'go on', 'die'),
})

const deed: fc.Arbitrary<Deed> = fc
  .record({ what, process: fc.nat(2), halt: fc.option(halt, { nil: undefined, freq: 2 }) })
  .map(({ halt, ...rest }) => (halt ? { ...rest, halt } : rest))

export const histories: fc.Arbitrary<History> = fc.array(
  fc.record({ deeds: fc.array(deed, { minLength: 2, maxLength: 10 }), together: fc.boolean() }),
  { minLength: 2, maxLength: 9, size: 'max' },
)
