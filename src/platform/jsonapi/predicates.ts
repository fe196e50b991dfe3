import { fromJson } from '#json/from-json.ts'
import { sql } from '../db/sql.ts'
import { isTooDeep } from './json.ts'
import { operand, typed, typedList } from './kinds.ts'
import type { Column, Kind } from './resource.ts'
import {
  beginsWith,
  type Condition,
  containsText,
  escaped,
  like,
  type OfMany,
  pattern,
  startPattern,
  type Value,
} from './text-patterns.ts'
import { compareValues, containsJson, isEqual, isLike, lowerCase } from './values-in-memory.ts'

interface Predicate {
  readonly why: string
  readonly kinds: readonly Kind[]
  /**
   * `one` value, a list of `many`, a `text` to look for in the written form, a list of `texts`, or a `switch` (null=0 is
   * not_null=1).
   */
  readonly takes: 'one' | 'many' | 'text' | 'texts' | 'switch'
  readonly sql: (column: Column, value: Value) => Condition
  /** Evaluates the predicate in memory, with the result of `sql`; `value` is the record's, null or of the kind. */
  readonly holds: (column: Column, value: unknown, given: Value) => boolean
  /** Whether it holds for one, or for every one, of several values, if that is faster than checking each. */
  readonly ofMany?: OfMany
}

const scalar = ['text', 'integer', 'number', 'boolean', 'time', 'id'] as const
const comparable = ['text', 'integer', 'number', 'time', 'id'] as const
const written = ['text', 'integer', 'id'] as const

const asksNot = (why: string, asked: Predicate): Predicate => ({
  ...asked,
  why,
  sql: (column, value) => not(asked.sql(column, value)),
  holds: (column, value, given) => !asked.holds(column, value, given),
})

/** A text predicate in memory, over both texts in lower case. False for null. */
const inLowerCase =
  (holds: (value: string, given: string) => boolean): Predicate['holds'] =>
  (_, value, given) =>
    value !== null && holds(lowerCase(value), lowerCase(given))

const text = like(text => `%${escaped(text)}%`, containsText)

/** Predicates of one value, each of which also has forms `_any` and `_all` for a list. */
const ofOne = {
  eq: {
    why: 'equals, exactly',
    kinds: [...scalar, 'json'],
    takes: 'one',
    sql: equal,
    holds: equals,
    ofMany: equalMany,
  },
  not_eq: {
    why: 'does not equal; also null',
    kinds: [...scalar, 'json'],
    takes: 'one',
    sql: (column, value) => not(equal(column, value)),
    holds: (column, value, given) => !equals(column, value, given),
    // At least one differs: not all of them are the value.
    ofMany: (column, values, ending) => {
      const equals = equalMany(column, values, ending === 'any' ? 'all' : 'any')
      return equals && not(equals)
    },
  },
  lt: { why: 'less than', kinds: comparable, takes: 'one', ...compare('<') },
  lteq: { why: 'less than or equal', kinds: comparable, takes: 'one', ...compare('<=') },
  gt: { why: 'greater than', kinds: comparable, takes: 'one', ...compare('>') },
  gteq: { why: 'greater than or equal', kinds: comparable, takes: 'one', ...compare('>=') },
  start: {
    why: 'starts with, in any case',
    kinds: written,
    takes: 'text',
    ...like(startPattern, beginsWith),
    holds: inLowerCase((value, given) => value.startsWith(given)),
  },
  end: {
    why: 'ends with, in any case',
    kinds: written,
    takes: 'text',
    ...like(text => `%${escaped(text)}`),
    holds: inLowerCase((value, given) => value.endsWith(given)),
  },
  cont: {
    why: 'contains, in any case; of an array: has the element',
    kinds: [...written, 'json'],
    takes: 'text',
    sql: (column, value) => (column.kind === 'json' ? hasElement(column, String(value)) : text.sql(column, value)),
    holds: (column, value, given) =>
      column.kind === 'json' ? hasElementInMemory(value, String(given)) : containsLowerCase(column, value, given),
    ofMany: (column, values, ending) => text.ofMany(column, values, ending),
  },
  matches: {
    why: 'is like a pattern, in any case: % stands for any text, _ for one character, \\ before either for itself',
    kinds: written,
    takes: 'text',
    ...like(pattern),
    holds: (_, value, given) => value !== null && isLike(lowerCase(value), lowerCase(pattern(String(given)))),
  },
} satisfies Record<string, Predicate>

type OfOne = keyof typeof ofOne

/** `name_start_any[]=a&…`: at least one of the list; `_all`: every one. */
function ofMany<Ending extends 'any' | 'all'>(ending: Ending): Record<`${OfOne}_${Ending}`, Predicate> {
  const joint = ending === 'any' ? sql` or ` : sql` and `
  const rows = Object.entries<Predicate>(ofOne).map(
    ([name, { why, kinds, takes, sql: ask, holds, ofMany: askMany }]): [string, Predicate] => [
      `${name}_${ending}`,
      {
        why: `${why}: ${ending === 'any' ? 'at least one' : 'each'} of a list`,
        kinds: kinds.filter(kind => kind !== 'json'),
        takes: takes === 'text' ? 'texts' : 'many',
        sql: (column, values) =>
          askMany?.(column, [values].flat(), ending) ??
          sql<boolean>`(${sql.join(
            [values].flat().map(each => ask(column, each)),
            joint,
          )})`,
        holds: (column, value, given) => {
          const each = (one: string) => holds(column, value, one)
          return ending === 'any' ? [given].flat().some(each) : [given].flat().every(each)
        },
      },
    ],
  )
  return Object.fromEntries(rows) as Record<`${OfOne}_${Ending}`, Predicate>
}

/**
 * Predicates of an attribute: `filter[<attribute>_<predicate>]`. A null is unequal to every value, so that a predicate
 * that begins with `not_` selects exactly the records that its opposite leaves out.
 */
export const predicates = {
  ...ofOne,
  ...ofMany('any'),
  ...ofMany('all'),
  in: { why: 'equals one of a list', kinds: scalar, takes: 'many', sql: isIn, holds: isAmong },
  not_in: {
    why: 'equals none of a list; also null',
    kinds: scalar,
    takes: 'many',
    sql: (column, values) => not(isIn(column, values)),
    holds: (column, value, given) => !isAmong(column, value, given),
  },
  not_start: asksNot('does not start with; also null', ofOne.start),
  not_end: asksNot('does not end with; also null', ofOne.end),
  not_cont: asksNot('does not contain; also null', { ...ofOne.cont, kinds: written }),
  i_cont: { ...ofOne.cont, why: 'as cont', kinds: written },
  not_i_cont: asksNot('as not_cont', { ...ofOne.cont, kinds: written }),
  does_not_match: asksNot('is not like a pattern; also null', ofOne.matches),
  null: {
    why: 'is null (1), is not null (0)',
    kinds: [...scalar, 'json'],
    takes: 'switch',
    sql: (column, value) => isNull(column, value === 'true'),
    holds: (_, value, given) => (value === null) === (given === 'true'),
  },
  not_null: {
    why: 'is not null (1), is null (0)',
    kinds: [...scalar, 'json'],
    takes: 'switch',
    sql: (column, value) => isNull(column, value !== 'true'),
    holds: (_, value, given) => (value !== null) === (given === 'true'),
  },
  present: {
    why: 'is neither null nor empty (1), is null or empty (0)',
    kinds: scalar,
    takes: 'switch',
    sql: (column, value) => isBlank(column, value !== 'true'),
    holds: (_, value, given) => isBlankInMemory(value) !== (given === 'true'),
  },
  blank: {
    why: 'is null or empty (1), is neither (0)',
    kinds: scalar,
    takes: 'switch',
    sql: (column, value) => isBlank(column, value === 'true'),
    holds: (_, value, given) => isBlankInMemory(value) === (given === 'true'),
  },
  true: { why: 'is true (1), is not (0)', kinds: ['boolean'], takes: 'switch', ...is(true) },
  false: { why: 'is false (1), is not (0)', kinds: ['boolean'], takes: 'switch', ...is(false) },
} satisfies Record<string, Predicate>

export type PredicateName = keyof typeof predicates

export const predicate = (name: PredicateName): Predicate => predicates[name]

const longestFirst = (Object.keys(predicates) as PredicateName[]).sort((a, b) => b.length - a.length)

/** `created_at_not_eq` → created_at, not_eq: the longest predicate at the end wins. */
export function splitFilterName(name: string): { attribute: string; predicate: PredicateName } | undefined {
  const found = longestFirst.find(each => name.endsWith(`_${each}`) && name.length > each.length + 1)
  return found && { attribute: name.slice(0, -found.length - 1), predicate: found }
}

function equal(column: Column, value: Value): Condition {
  if (column.equals) return column.equals(value)
  return sql<boolean>`${operand(column)} = ${typed(column.kind, String(value))}`
}

function equals(column: Column, value: unknown, given: Value): boolean {
  return isEqual(column.kind, value, String(given))
}

function equalMany(column: Column, values: readonly string[], ending: 'any' | 'all'): Condition | undefined {
  if (column.equals) return undefined
  return sql<boolean>`${operand(column)} = ${sql.raw(ending)} (${typedList(column.kind, values)})`
}

function isIn(column: Column, value: Value): Condition {
  const values = [value].flat()
  if (column.equals) return sql<boolean>`(${sql.join(values.map(column.equals), sql` or `)})`
  return sql<boolean>`${operand(column)} = any(${typedList(column.kind, values)})`
}

function isAmong(column: Column, value: unknown, given: Value): boolean {
  return [given].flat().some(each => equals(column, value, each))
}

const not = (condition: Condition): Condition => sql<boolean>`(${condition}) is not true`

function compare(operator: '<' | '<=' | '>' | '>='): Pick<Required<Predicate>, 'sql' | 'holds' | 'ofMany'> {
  const by = sql.raw(operator)
  return {
    sql: (column, value) => {
      const text = String(value)
      const plainly = sql<boolean>`${operand(column)} ${by} ${typed(column.kind, text)}`
      if (!column.asNumbers || !numeric.test(text)) return plainly
      // A CASE, because PostgreSQL may evaluate the two sides of an AND in either order, and the cast would then fail.
      return sql<boolean>`case when ${column.sql} ~ ${numeric.source}
                               then (${column.sql})::numeric ${by} ${text}::numeric
                               else ${plainly} end`
    },
    holds: (column, value, given) => {
      if (value === null) return false
      const areNumbers = column.asNumbers && numeric.test(String(value)) && numeric.test(String(given))
      return isOrdered(operator, compareValues(areNumbers ? 'number' : column.kind, value, String(given)))
    },
    ofMany: (column, values, ending) =>
      column.asNumbers
        ? undefined
        : sql<boolean>`${operand(column)} ${by} ${sql.raw(ending)} (${typedList(column.kind, values)})`,
  }
}

function isOrdered(operator: '<' | '<=' | '>' | '>=', order: number): boolean {
  if (order === 0) return operator.endsWith('=')
  return operator.startsWith('<') ? order < 0 : order > 0
}

const numeric = /^-?[0-9]{1,100}(\.[0-9]{1,100})?$/

/** An array that has the element, as a string or as JSON; an object that has the members of a JSON object. */
function hasElement(column: Column, text: string): Condition {
  const asString = sql<boolean>`${column.sql} @> to_jsonb(${text}::text)`
  const parsed = parse(text)
  if (parsed === undefined) return asString
  const value = JSON.stringify(parsed)
  return sql<boolean>`(${asString} or ${column.sql} @> ${value}::jsonb
                       or ${column.sql} @> jsonb_build_array(${value}::jsonb))`
}

function hasElementInMemory(value: unknown, text: string): boolean {
  if (value === null) return false
  const parsed = parse(text)
  return (
    containsJson(value, text) ||
    (parsed !== undefined && (containsJson(value, parsed) || containsJson(value, [parsed])))
  )
}

const containsLowerCase = inLowerCase((value, given) => value.includes(given))

function parse(text: string): unknown {
  try {
    // Lone surrogates and NULs are JSON that jsonb refuses; an array has no such element, and no value that is nested
    // too deeply.
    const value = /\\u(0000|d[89a-f])/i.test(text) ? undefined : fromJson(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

function isBlank(column: Column, wanted: boolean): Condition {
  const isNothing = isNull(column, true)
  const blank = column.kind === 'text' ? sql<boolean>`(${isNothing} or (${column.sql}) = '')` : isNothing
  return wanted ? blank : not(blank)
}

const isBlankInMemory = (value: unknown): boolean => value === null || value === ''

function is(truth: boolean): Pick<Predicate, 'sql' | 'holds'> {
  return {
    sql: ({ sql: expression }, value) =>
      sql<boolean>`((${expression}) is ${sql.raw(String(truth))}) = ${value === 'true'}`,
    holds: (_, value, given) => (value === truth) === (given === 'true'),
  }
}

const isNull = ({ sql: expression }: Column, wanted: boolean): Condition =>
  wanted ? sql<boolean>`(${expression}) is null` : sql<boolean>`(${expression}) is not null`
