import type { Kind } from '../../src/platform/jsonapi/resource.ts'

/**
 * The grammar of lists over plain values: what the service's SQL is held against. Slow and obvious on purpose; it shares
 * no line with the code that it judges.
 */
export type Value = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>

/** Text bytewise, as PostgreSQL's collation "C" does: JavaScript's own order is by UTF-16. */
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

export const oracles: Readonly<Record<string, Oracle>> = {
  eq: known(equal),
  not_eq: (value, given) => value === null || !equal(value, given),
  lt: known((value, given) => compareValues(value, given) < 0),
  lteq: known((value, given) => compareValues(value, given) <= 0),
  gt: known((value, given) => compareValues(value, given) > 0),
  gteq: known((value, given) => compareValues(value, given) >= 0),
  in: known((value, given) => (given as Value[]).some(each => equal(value, each))),
  not_in: (value, given) => value === null || !(given as Value[]).some(each => equal(value, each)),
  start: known((value, given) => written(value).startsWith(written(given))),
  end: known((value, given) => written(value).endsWith(written(given))),
  cont: known((value, given) =>
    Array.isArray(value) ? value.some(each => equal(each, given)) : written(value).includes(written(given)),
  ),
  null: (value, given) => (value === null) === given,
  not_null: (value, given) => (value !== null) === given,
}

const scalars = ['text', 'integer', 'number', 'boolean', 'time', 'id']
const ordered = ['text', 'integer', 'number', 'time', 'id']
const texts = ['text', 'integer', 'id']

/** Kinds that a predicate is for; the others answer 400. */
export const kindsOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['eq', 'not_eq', 'null', 'not_null'].map(name => [name, [...scalars, 'json']])),
  ...Object.fromEntries(['lt', 'lteq', 'gt', 'gteq'].map(name => [name, ordered])),
  ...Object.fromEntries(['in', 'not_in'].map(name => [name, scalars])),
  ...Object.fromEntries(['start', 'end'].map(name => [name, texts])),
  cont: [...texts, 'json'],
}

/** A value as a query writes it. */
export const inQuery = (value: Value): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** What is asked of a column: values that are there, near them, and between them. */
export function probes(kind: Kind, predicate: string, values: readonly Value[]): Value[] {
  if (predicate === 'null' || predicate === 'not_null') return [true, false]
  const there = [...new Map(values.filter(each => each !== null).map(each => [JSON.stringify(each), each])).values()]
  const some = there.filter((_, index) => index % Math.ceil(there.length / 6) === 0)
  if (predicate === 'in' || predicate === 'not_in') return [some, some.slice(0, 1), []]
  if (predicate === 'cont' && kind === 'json')
    return some.filter(Array.isArray).flatMap(each => each.slice(0, 1)) as Value[]
  if (kind === 'text' && ['start', 'end', 'cont'].includes(predicate)) {
    return ['%', '_', '\\', "'", 'É', 'é', 'A', 'b%', ...some.map(each => String(each).slice(1, 3).toWellFormed())]
  }
  if (['start', 'end', 'cont'].includes(predicate)) return some.map(each => String(each).slice(0, 2))
  return [...some, ...(kind === 'text' ? ['', 'nothing like it', 'É', '😀'] : [])]
}
