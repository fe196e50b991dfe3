import type { Chance } from '../audit-trail/chance.ts'
import type { World } from './world.ts'

/** Reason for a refusal: the code of an error, and the member of the body or the parameter that it names. */
export interface Cause {
  readonly code: string
  readonly at?: string
  /** Expected contents of the response: the actual and the expected value. */
  readonly meta?: (meta: Body) => Pairs
}

export type Pairs = readonly (readonly [said: unknown, should: unknown])[]

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
export type Body = any

export interface Predicted {
  readonly status: number
  readonly causes?: readonly Cause[]
  /** Pairs of an actual value in a response and the expected one. */
  readonly shows?: (body: Body) => Pairs
  /** Effect on the model. */
  readonly effect?: (body: Body) => void
}

export interface Question {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below /api. */
  readonly path: string
  readonly by: string
  readonly attributes?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly predicted: Predicted
}

export interface Drawing {
  readonly world: World
  readonly chance: Chance
  readonly by: string
}

/** Possible faults of a request. Later ones are checked only if no earlier one applies. */
export interface Checks {
  readonly malformed?: readonly Cause[]
  readonly missing?: boolean
  readonly forbidden?: () => boolean
  readonly stale?: boolean
  readonly conflicts?: () => readonly Cause[]
  /** Conflicts of the values: reported before faults of other values. */
  readonly inTheWay?: () => readonly Cause[]
  readonly invalid?: () => readonly Cause[]
  /** Records named by values are looked up last. */
  readonly impossible?: () => readonly Cause[]
}

/** The response: 400, 404, 403, 412, 409 or 422, the first that applies, or success. */
export function answered(checks: Checks, done: Predicted): Predicted {
  const refused = (status: number, causes: readonly Cause[]): Predicted => ({
    status,
    causes,
    ...(done.effect && { effect: done.effect }),
  })
  if (checks.malformed?.length) return refused(400, checks.malformed)
  if (checks.missing) return refused(404, [{ code: 'missing' }])
  if (checks.forbidden?.()) return refused(403, [{ code: 'forbidden' }])
  if (checks.stale) return refused(412, [{ code: 'precondition-failed', at: 'if-match' }])
  const conflicts = checks.conflicts?.() ?? []
  if (conflicts.length > 0) return refused(409, conflicts)
  const inTheWay = checks.inTheWay?.() ?? []
  if (inTheWay.length > 0) return refused(409, inTheWay)
  const invalid = checks.invalid?.() ?? []
  if (invalid.length > 0) return refused(422, invalid)
  const impossible = checks.impossible?.() ?? []
  return impossible.length > 0 ? refused(422, impossible) : done
}

export const attribute = (name: string): string => `/data/attributes/${name}`

/** An attribute that a request may have, with its fault. */
export interface Drawn {
  readonly attributes: Record<string, unknown>
  readonly malformed: Cause[]
  readonly invalid: Cause[]
}

type Values = readonly (readonly [value: unknown, wrong?: 'required' | 'invalid' | 'unknown-attribute'])[]

/** Attributes by their possible values here; `undefined` leaves one out. */
export function drawn(chance: Chance, values: Readonly<Record<string, Values>>): Drawn {
  const drawn: Drawn = { attributes: {}, malformed: [], invalid: [] }
  for (const [name, all] of Object.entries(values)) {
    const [value, wrong] = chance.of(all)
    if (value !== undefined) drawn.attributes[name] = value
    const cause = wrong && { code: wrong, at: attribute(name) }
    if (cause) (wrong === 'unknown-attribute' ? drawn.malformed : drawn.invalid).push(cause)
  }
  return drawn
}

/** A value repeated: it is drawn that much more often. */
export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** An invalid value, rarely. */
export const surprise: Values = [...times(30, [undefined] as const), [1, 'unknown-attribute']]
export const names: Values = [...times(8, ['Front'] as const), ['Back'], ['', 'invalid'], [5, 'invalid']]
export const maybeNames: Values = [...times(8, [undefined] as const), ...names, [null, 'invalid']]
export const descriptions: Values = [[undefined], [undefined], ['told'], [null], [7, 'invalid']]

/** A header that never matches, rarely. */
export function condition(chance: Chance): { stale: boolean; headers?: Record<string, string> } {
  return chance.is(0.05) ? { stale: true, headers: { 'if-match': '"0"' } } : { stale: false }
}
