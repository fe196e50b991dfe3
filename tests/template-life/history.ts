import fc from 'fast-check'

/** Deeds on a repository, on its templates, and on their assets. */
export type Deed =
  | { readonly what: 'commits'; readonly branch: number; readonly content: Content; readonly rewrites: boolean }
  | { readonly what: 'sets ref'; readonly ref: number; readonly commit: number }
  | { readonly what: 'drops ref'; readonly ref: number }
  | { readonly what: 'goes away or comes back' }
  | {
      readonly what: 'puts'
      readonly version: number
      readonly attributes: Attributes
      readonly fetches: boolean
      readonly ignores: boolean
    }
  | { readonly what: 'drops version' | 'cancels refresh'; readonly version: number }
  | { readonly what: 'assigns'; readonly version: number; readonly assets: readonly number[] }
  | { readonly what: 'changes template'; readonly template: number; readonly to: 'archived' | 'disabled' }
  | { readonly what: 'makes or drops template'; readonly template: number }
  | { readonly what: 'changes remote' | 'drops remote' }
  | { readonly what: 'makes' | 'moves'; readonly asset: number; readonly version: number }
  | { readonly what: 'archives' | 'destroys'; readonly asset: number }
  | { readonly what: 'asks for actions'; readonly asset: number }
  | { readonly what: 'cancels task'; readonly task: number }
  | { readonly what: 'works' | 'admits' | 'switches maintenance' }
  | { readonly what: 'runner ends'; readonly task: number; readonly well: boolean }
  | { readonly what: 'time passes' }

/**
 * Content of a template's folder at a commit: a file, a program, or one that reads properties, so that each asset has
 * its own actions.
 */
export type Content = 'plain' | 'program' | 'asking' | 'faulty' | 'absent'

/** Values given by people; a revision is drawn as a number, of a commit or of a name. */
export interface Attributes {
  readonly rev?: { readonly name: number } | { readonly commit: number }
  readonly locked?: boolean
  readonly float?: boolean
  readonly archived?: boolean
}

const which = fc.nat(11)
const seldom = fc.nat(5).map(n => n === 0)
const does = <What extends string, T extends object>(what: What, more: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ what: fc.constant(what), ...more }) as unknown as fc.Arbitrary<{ what: What } & T>

const content = fc.constantFrom<Content>(
  'plain',
  'plain',
  'plain',
  'program',
  'program',
  'asking',
  'asking',
  'faulty',
  'absent',
)
const rev: fc.Arbitrary<NonNullable<Attributes['rev']>> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: which }) },
  { weight: 1, arbitrary: fc.record({ commit: which }) },
)
const attributes: fc.Arbitrary<Attributes> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ rev }) },
  { weight: 2, arbitrary: fc.record({ rev, float: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      { rev, locked: fc.boolean(), float: fc.boolean(), archived: seldom },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Attributes>,
  },
)

const deed = fc.oneof(
  { weight: 7, arbitrary: does('commits', { branch: which, content, rewrites: seldom }) },
  { weight: 3, arbitrary: does('sets ref', { ref: which, commit: which }) },
  { weight: 1, arbitrary: does('drops ref', { ref: which }) },
  { weight: 2, arbitrary: does('goes away or comes back', {}) },
  { weight: 14, arbitrary: does('puts', { version: which, attributes, fetches: fc.boolean(), ignores: fc.boolean() }) },
  { weight: 2, arbitrary: does('drops version', { version: which }) },
  { weight: 3, arbitrary: does('cancels refresh', { version: which }) },
  {
    weight: 3,
    arbitrary: does('assigns', { version: which, assets: fc.array(which, { minLength: 1, maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: does('changes template', { template: which, to: fc.constantFrom('archived', 'disabled') }),
  },
  { weight: 1, arbitrary: does('makes or drops template', { template: which }) },
  { weight: 1, arbitrary: does('changes remote', {}) },
  { weight: 1, arbitrary: does('drops remote', {}) },
  { weight: 6, arbitrary: does('makes', { asset: which, version: which }) },
  { weight: 4, arbitrary: does('moves', { asset: which, version: which }) },
  { weight: 2, arbitrary: does('archives', { asset: which }) },
  { weight: 1, arbitrary: does('destroys', { asset: which }) },
  { weight: 3, arbitrary: does('asks for actions', { asset: which }) },
  { weight: 2, arbitrary: does('cancels task', { task: which }) },
  { weight: 16, arbitrary: does('works', {}) },
  { weight: 10, arbitrary: does('admits', {}) },
  { weight: 1, arbitrary: does('switches maintenance', {}) },
  { weight: 10, arbitrary: does('runner ends', { task: which, well: fc.nat(3).map(n => n > 0) }) },
  { weight: 4, arbitrary: does('time passes', {}) },
) as fc.Arbitrary<Deed>

export const histories: fc.Arbitrary<readonly Deed[]> = fc.array(deed, { minLength: 20, maxLength: 45, size: 'max' })
