import fc from 'fast-check'
import { type Expression, expressions, zones } from './due-times.ts'
import { matches, type Pattern } from './files.ts'
import { creators, type Person, people } from './judge.ts'
import type { Target, Terms } from './terms.ts'

/** A due time, in seconds from its definition. */
export interface Wish extends Omit<Terms, 'runAt' | 'endAt'> {
  readonly runAt: number | null
  readonly endAt: number | null
}

/**
 * Poll of the service: which processes, in which order of due times (the last alone if those before it are retried
 * later), and at which moment a process is killed.
 */
export interface Look {
  readonly process: 0 | 1
  readonly order: 'first' | 'last' | 'last alone' | 'at once' | 'twice'
  /** Commit before or after which the process is killed, counted from its start. */
  readonly diesAt: number | undefined
}

/** One for each of them. */
type Each<What, More> = What extends unknown ? { readonly what: What } & More : never

export type Deed =
  | { readonly what: 'make'; readonly by: (typeof creators)[number]; readonly wish: Wish }
  | { readonly what: 'update'; readonly which: number; readonly part: Partial<Wish> }
  | Each<'delete' | 'end' | 'continue' | 'purge', { readonly which: number }>
  | { readonly what: 'time'; readonly seconds: number | 'until due' }
  | Each<'note' | 'work' | 'look', Look>
  /** Time passes, and then they poll. */
  | ({ readonly what: 'pass'; readonly seconds: number | 'until due' } & Look)
  | { readonly what: 'rights'; readonly who: Person; readonly to: Right }
  | { readonly what: 'leave' }
  | Each<'archive' | 'restore' | 'destroy', { readonly node: 'asset' | 'environment' }>
  | { readonly what: 'commit'; readonly branch: string; readonly path: string }
  | { readonly what: 'go back'; readonly branch: string; readonly to: number }
  | { readonly what: 'catch up'; readonly seconds: number }
  | { readonly what: 'maintenance'; readonly mode: string }
  | { readonly what: 'version'; readonly to: string }

export type Right = 'all' | 'no workflows' | 'nothing' | 'blocked' | 'unblocked' | 'disabled' | 'able'

export interface History {
  /** Number of changes of clocks before it. */
  readonly eve: number
  readonly deeds: readonly Deed[]
}

const minute = 60
const hour = 3_600
const day = 24 * hour
const which = fc.nat(20)
const branch = fc.constantFrom('main', 'main', 'next')
const patterns: fc.Arbitrary<Pattern[]> = fc.uniqueArray(
  fc.record({ match: fc.constantFrom(...matches), negate: fc.boolean() }),
  { maxLength: 2, selector: ({ match }) => match },
)
const often = <T>(usual: T, other: fc.Arbitrary<T>, weight = 3) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const soon = fc.constantFrom(90, 20 * minute, 2 * hour, 26 * hour)
const version = fc.constantFrom('1', '1', '2', '3')

const parts = {
  zone: fc.constantFrom<string>(...zones),
  maximumRunCount: often<number | null>(null, fc.integer({ min: 1, max: 3 })),
  endAt: often<number | null>(null, soon),
  allowParallel: fc.boolean(),
  enabled: often(true, fc.boolean(), 6),
  patternMatch: fc.constantFrom('any', 'all'),
} as const

const cron = fc.record({
  expression: fc.constantFrom<Expression>(...expressions),
  runAt: fc.constant(null),
  repeat: often(true, fc.constant(false), 9),
})
const once = fc.record({ expression: fc.constant(null), runAt: soon, repeat: fc.constant(false) })
const time = fc.oneof({ weight: 5, arbitrary: cron }, { weight: 1, arbitrary: once })
const commits = fc.oneof(
  { weight: 2, arbitrary: fc.record({ newCommitsOnly: fc.constant(false), patterns: fc.constant([]) }) },
  { weight: 3, arbitrary: fc.record({ newCommitsOnly: fc.constant(true), patterns }) },
)
const wish = fc
  .record({
    target: fc.constantFrom<Target>('asset', 'environment', 'environment', 'workflow'),
    time,
    commits,
    gitRev: branch,
    templateVersion: often<string | null>(null, version),
    ...parts,
  })
  .map(({ time, commits, ...rest }) => ({ ...rest, ...time, ...commits }) as Wish)
  .map(fitting)

/** Attributes of certain targets. */
function fitting(of: Wish): Wish {
  const hasRevision = of.target !== 'workflow'
  return {
    ...of,
    newCommitsOnly: hasRevision && of.newCommitsOnly,
    patterns: hasRevision ? of.patterns : [],
    patternMatch: hasRevision ? of.patternMatch : 'any',
    gitRev: of.target === 'environment' ? of.gitRev : null,
    templateVersion: of.target === 'asset' ? of.templateVersion : null,
  }
}

const one = <K extends keyof Wish>(name: K, value: fc.Arbitrary<Wish[K]>) =>
  value.map(each => ({ [name]: each }) as Partial<Wish>)
const part: fc.Arbitrary<Partial<Wish>> = fc.oneof(
  time,
  commits,
  one('enabled', fc.boolean()),
  one('enabled', fc.boolean()),
  one('zone', parts.zone),
  one('maximumRunCount', parts.maximumRunCount),
  one('endAt', fc.oneof(fc.constant(null), soon)),
  one('allowParallel', fc.boolean()),
  one('gitRev', branch),
  one('templateVersion', fc.oneof(fc.constant(null), version)),
)

const look = {
  process: fc.constantFrom(0, 1),
  order: fc.constantFrom('first', 'last', 'last alone', 'at once', 'twice'),
  diesAt: often<number | undefined>(undefined, fc.nat(11), 2),
} as const
const does = <What extends string, T extends object>(
  what: What | readonly What[],
  more: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => fc.record({ what: fc.constantFrom(...[what].flat()), ...more }) as unknown as fc.Arbitrary<{ what: What } & T>
const node = fc.constantFrom('asset', 'environment')
const seconds = fc.constantFrom<number | 'until due'>(
  ...(['until due', 'until due', 'until due', 40, 10 * minute, 47 * minute, hour + 1, 5 * hour, day, 3 * day] as const),
)

const makes = does('make', { by: fc.constantFrom(...creators), wish })
const deed = fc.oneof(
  { weight: 3, arbitrary: makes },
  { weight: 6, arbitrary: does('update', { which, part }) },
  { weight: 1, arbitrary: does('delete', { which }) },
  { weight: 5, arbitrary: does('time', { seconds }) },
  { weight: 20, arbitrary: does('pass', { seconds, ...look }) },
  { weight: 3, arbitrary: does('look', look) },
  { weight: 3, arbitrary: does('note', look) },
  { weight: 3, arbitrary: does('work', look) },
  { weight: 7, arbitrary: does(['end', 'continue'], { which }) },
  { weight: 1, arbitrary: does('purge', { which }) },
  {
    weight: 3,
    arbitrary: does('rights', {
      who: fc.constantFrom(...people),
      to: fc.constantFrom<Right>('all', 'no workflows', 'nothing', 'blocked', 'unblocked', 'disabled', 'able'),
    }),
  },
  { weight: 1, arbitrary: does('leave', {}) },
  { weight: 2, arbitrary: does(['archive', 'restore'], { node }) },
  { weight: 1, arbitrary: does('destroy', { node }) },
  {
    weight: 4,
    arbitrary: does('commit', { branch, path: fc.constantFrom('src/a.txt', 'src/b.md', 'docs/c.md', 'd.txt') }),
  },
  { weight: 1, arbitrary: does('go back', { branch, to: which }) },
  { weight: 1, arbitrary: does('catch up', { seconds: fc.constantFrom(0, 300, 3_600, 3 * hour) }) },
  { weight: 1, arbitrary: does('maintenance', { mode: fc.constantFrom('disabled', 'enabled', 'superuser_override') }) },
  { weight: 2, arbitrary: does('version', { to: version }) },
) as fc.Arbitrary<Deed>

export const histories: fc.Arbitrary<History> = fc
  .tuple(
    fc.nat(2),
    fc.array(makes, { minLength: 1, maxLength: 3 }),
    fc.array(deed, { minLength: 18, maxLength: 30, size: 'max' }),
  )
  .map(([eve, first, deeds]) => ({ eve, deeds: [...(first as Deed[]), ...deeds] }))

/** Deeds of people, and not of the service or of time. */
export type Done = Exclude<Deed, { what: 'time' | 'pass' | 'note' | 'work' | 'look' }>
