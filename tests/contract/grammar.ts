import type { Kind } from '../../src/platform/jsonapi/resource.ts'

/**
 * The grammar of lists over plain values, with which the service's SQL is compared. Slow and obvious on purpose; it
 * shares no code with the service.
 */
export type Value = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>

/** Bytewise order of texts, as PostgreSQL's collation "C": JavaScript's own order is by UTF-16. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

const written = (value: Value) => String(value).toLowerCase()

type Oracle = (value: Value, given: Value) => boolean

const known =
  (test: (value: Exclude<Value, null>, given: Value) => boolean): Oracle =>
  (value, given) =>
    value !== null && test(value, given)

const equal: Oracle = (value, given) => JSON.stringify(value) === JSON.stringify(given)

const ofOne: Readonly<Record<string, Oracle>> = {
  eq: known(equal),
  not_eq: (value, given) => value === null || !equal(value, given),
  lt: known((value, given) => compareValues(value, given) < 0),
  lteq: known((value, given) => compareValues(value, given) <= 0),
  gt: known((value, given) => compareValues(value, given) > 0),
  gteq: known((value, given) => compareValues(value, given) >= 0),
  start: known((value, given) => written(value).startsWith(written(given))),
  end: known((value, given) => written(value).endsWith(written(given))),
  cont: known((value, given) =>
    Array.isArray(value) ? value.some(each => equal(each, given)) : written(value).includes(written(given)),
  ),
  matches: known((value, given) => likePattern(String(given)).test(String(value))),
}

const unless =
  (oracle: Oracle): Oracle =>
  (value, given) =>
    !oracle(value, given)

/** A pattern as a regular expression: `%` any text, `_` one character, a backslash escapes them. */
function likePattern(pattern: string): RegExp {
  const parts = pattern.match(/\\[\s\S]|[\s\S]/gu) ?? []
  const sources = parts.map(part => {
    if (part === '%') return '[^]*'
    if (part === '_') return '[^]'
    return (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  })
  return new RegExp(`^${sources.join('')}$`, 'iu')
}

const isBlank = (value: Value) => value === null || value === ''

export const oracles: Readonly<Record<string, Oracle>> = {
  ...ofOne,
  ...Object.fromEntries(
    Object.entries(ofOne).flatMap(([name, oracle]): [string, Oracle][] => [
      [`${name}_any`, (value, given) => (given as Value[]).some(each => oracle(value, each))],
      [`${name}_all`, (value, given) => (given as Value[]).every(each => oracle(value, each))],
    ]),
  ),
  in: known((value, given) => (given as Value[]).some(each => equal(value, each))),
  not_in: (value, given) => value === null || !(given as Value[]).some(each => equal(value, each)),
  not_start: unless(ofOne['start']!),
  not_end: unless(ofOne['end']!),
  not_cont: unless(ofOne['cont']!),
  i_cont: ofOne['cont']!,
  not_i_cont: unless(ofOne['cont']!),
  does_not_match: unless(ofOne['matches']!),
  present: (value, given) => !isBlank(value) === given,
  blank: (value, given) => isBlank(value) === given,
  true: (value, given) => (value === true) === given,
  false: (value, given) => (value === false) === given,
  null: (value, given) => (value === null) === given,
  not_null: (value, given) => (value !== null) === given,
}

const scalars = ['text', 'integer', 'number', 'boolean', 'time', 'id']
const ordered = ['text', 'integer', 'number', 'time', 'id']
const texts = ['text', 'integer', 'id']

const kindsOfOne: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['eq', 'not_eq'].map(name => [name, scalars])),
  ...Object.fromEntries(['lt', 'lteq', 'gt', 'gteq'].map(name => [name, ordered])),
  ...Object.fromEntries(['start', 'end', 'cont', 'matches'].map(name => [name, texts])),
}

/** Kinds that a predicate applies to; the others get 400. */
export const kindsOf: Readonly<Record<string, readonly string[]>> = {
  ...kindsOfOne,
  ...Object.fromEntries(
    Object.entries(kindsOfOne).flatMap(([name, kinds]) => ['any', 'all'].map(end => [`${name}_${end}`, kinds])),
  ),
  ...Object.fromEntries(
    ['not_start', 'not_end', 'not_cont', 'i_cont', 'not_i_cont', 'does_not_match'].map(name => [name, texts]),
  ),
  ...Object.fromEntries(['present', 'blank'].map(name => [name, scalars])),
  ...Object.fromEntries(['true', 'false'].map(name => [name, ['boolean']])),
  ...Object.fromEntries(['eq', 'not_eq', 'null', 'not_null'].map(name => [name, [...scalars, 'json']])),
  ...Object.fromEntries(['in', 'not_in'].map(name => [name, scalars])),
  cont: [...texts, 'json'],
}

/** A value as written in a query. */
export const inQuery = (value: Value): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Values to filter a column by: existing ones, near ones, and ones in between. */
export function probes(kind: Kind, predicate: string, values: readonly Value[]): Value[] {
  if (/^(not_)?null$|^(present|blank|true|false)$/.test(predicate)) return [true, false]
  const ofMany = /^(.*)_(any|all)$/.exec(predicate)?.[1]
  if (ofMany !== undefined) {
    const each = probes(kind, ofMany, values)
    return each.length > 1 ? [each.slice(-3)] : []
  }
  const there = [...new Map(values.filter(each => each !== null).map(each => [JSON.stringify(each), each])).values()]
  const some = there.filter((_, index) => index % Math.ceil(there.length / 6) === 0)
  if (predicate === 'in' || predicate === 'not_in') return [some, some.slice(0, 1), []]
  if (predicate === 'cont' && kind === 'json')
    return some.filter(Array.isArray).flatMap(each => each.slice(0, 1)) as Value[]
  const inText = /^(not_)?(start|end|i?_?cont)$|^matches$|^does_not_match$/.test(predicate)
  if (kind === 'text' && predicate.includes('match'))
    return ['%', '_', '', 'a%', '%B%', 'a\\%b', 'a\\_b', '%\\', '%\\\\%', '_lpha', 'É%', "%'%", '.*']
  if (kind === 'text' && inText) {
    return ['%', '_', '\\', "'", 'É', 'é', 'A', 'b%', ...some.map(each => String(each).slice(1, 3).toWellFormed())]
  }
  if (inText) return some.map(each => String(each).slice(0, 2))
  return [...some, ...(kind === 'text' ? ['', 'nothing like it', 'É', '😀'] : [])]
}
