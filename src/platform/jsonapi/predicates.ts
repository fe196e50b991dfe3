import { fromJson } from '#json/from-json.ts'
import { type Sql, sql } from '../db/sql.ts'
import { isTooDeep } from './json.ts'
import { operand, typed, typedList } from './kinds.ts'
import type { Column, Kind } from './resource.ts'

type Condition = Sql<boolean>

interface Predicate {
  readonly why: string
  readonly kinds: readonly Kind[]
  /**
   * `one` value, a list of `many`, a `text` to look for in the written form, a list of `texts`, or a `switch` (null=0 is
   * not_null=1).
   */
  readonly takes: 'one' | 'many' | 'text' | 'texts' | 'switch'
  readonly sql: (column: Column, value: string | readonly string[]) => Condition
}

const scalar = ['text', 'integer', 'number', 'boolean', 'time', 'id'] as const
const comparable = ['text', 'integer', 'number', 'time', 'id'] as const
const written = ['text', 'integer', 'id'] as const

const asksNot = (why: string, asked: Predicate): Predicate => ({
  ...asked,
  why,
  sql: (column, value) => not(asked.sql(column, value)),
})

/** Predicates of one value, each of which is asked of `_any` and of `_all` of a list too. */
const ofOne = {
  eq: { why: 'equals, exactly', kinds: [...scalar, 'json'], takes: 'one', sql: equal },
  not_eq: {
    why: 'does not equal; also null',
    kinds: [...scalar, 'json'],
    takes: 'one',
    sql: (column, value) => not(equal(column, value)),
  },
  lt: { why: 'less than', kinds: comparable, takes: 'one', sql: compare('<') },
  lteq: { why: 'less than or equal', kinds: comparable, takes: 'one', sql: compare('<=') },
  gt: { why: 'greater than', kinds: comparable, takes: 'one', sql: compare('>') },
  gteq: { why: 'greater than or equal', kinds: comparable, takes: 'one', sql: compare('>=') },
  start: { why: 'starts with, in any case', kinds: written, takes: 'text', sql: beginsWith },
  end: { why: 'ends with, in any case', kinds: written, takes: 'text', sql: like(text => `%${escaped(text)}`) },
  cont: {
    why: 'contains, in any case; of an array: has the element',
    kinds: [...written, 'json'],
    takes: 'text',
    sql: (column, value) => (column.kind === 'json' ? hasElement(column, String(value)) : containsText(column, value)),
  },
  matches: {
    why: 'is like a pattern, in any case: % stands for any text, _ for one character, \\ before either for itself',
    kinds: written,
    takes: 'text',
    sql: like(pattern),
  },
} satisfies Record<string, Predicate>

type OfOne = keyof typeof ofOne

/** `name_start_any[]=a&…`: at least one of the list; `_all`: every one. */
function ofMany<Ending extends 'any' | 'all'>(ending: Ending): Record<`${OfOne}_${Ending}`, Predicate> {
  const joint = ending === 'any' ? sql` or ` : sql` and `
  const rows = Object.entries<Predicate>(ofOne).map(([name, { why, kinds, takes, sql: ask }]): [string, Predicate] => [
    `${name}_${ending}`,
    {
      why: `${why}: ${ending === 'any' ? 'at least one' : 'each'} of a list`,
      kinds: kinds.filter(kind => kind !== 'json'),
      takes: takes === 'text' ? 'texts' : 'many',
      sql: (column, values) =>
        sql<boolean>`(${sql.join(
          [values].flat().map(each => ask(column, each)),
          joint,
        )})`,
    },
  ])
  return Object.fromEntries(rows) as Record<`${OfOne}_${Ending}`, Predicate>
}

/**
 * What can be asked of an attribute: `filter[<attribute>_<predicate>]`. A null is unequal to every value, so that what
 * begins with `not_` is exactly the records that its opposite leaves out.
 */
export const predicates = {
  ...ofOne,
  ...ofMany('any'),
  ...ofMany('all'),
  in: { why: 'equals one of a list', kinds: scalar, takes: 'many', sql: isIn },
  not_in: {
    why: 'equals none of a list; also null',
    kinds: scalar,
    takes: 'many',
    sql: (column, values) => not(isIn(column, values)),
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
  },
  not_null: {
    why: 'is not null (1), is null (0)',
    kinds: [...scalar, 'json'],
    takes: 'switch',
    sql: (column, value) => isNull(column, value !== 'true'),
  },
  present: {
    why: 'is neither null nor an empty text (1), is one of them (0)',
    kinds: scalar,
    takes: 'switch',
    sql: (column, value) => isBlank(column, value !== 'true'),
  },
  blank: {
    why: 'is null or an empty text (1), is neither (0)',
    kinds: scalar,
    takes: 'switch',
    sql: (column, value) => isBlank(column, value === 'true'),
  },
  true: { why: 'is true (1), is not (0)', kinds: ['boolean'], takes: 'switch', sql: is('true') },
  false: { why: 'is false (1), is not (0)', kinds: ['boolean'], takes: 'switch', sql: is('false') },
} satisfies Record<string, Predicate>

export type PredicateName = keyof typeof predicates

export const predicate = (name: PredicateName): Predicate => predicates[name]

const longestFirst = (Object.keys(predicates) as PredicateName[]).sort((a, b) => b.length - a.length)

/** `created_at_not_eq` → created_at, not_eq: the longest predicate at the end wins. */
export function splitFilterName(name: string): { attribute: string; predicate: PredicateName } | undefined {
  const found = longestFirst.find(each => name.endsWith(`_${each}`) && name.length > each.length + 1)
  return found && { attribute: name.slice(0, -found.length - 1), predicate: found }
}

function equal(column: Column, value: string | readonly string[]): Condition {
  if (column.equals) return column.equals(value)
  return sql<boolean>`${operand(column)} = ${typed(column.kind, String(value))}`
}

function isIn(column: Column, value: string | readonly string[]): Condition {
  const values = [value].flat()
  if (column.equals) return sql<boolean>`(${sql.join(values.map(column.equals), sql` or `)})`
  return sql<boolean>`${operand(column)} = any(${typedList(column.kind, values)})`
}

const not = (condition: Condition): Condition => sql<boolean>`(${condition}) is not true`

function compare(operator: '<' | '<=' | '>' | '>=') {
  return (column: Column, value: string | readonly string[]): Condition => {
    const text = String(value)
    const plainly = sql<boolean>`${operand(column)} ${sql.raw(operator)} ${typed(column.kind, text)}`
    if (!column.asNumbers || !numeric.test(text)) return plainly
    // A CASE, because PostgreSQL may evaluate the two sides of an AND in either order, and the cast would then fail.
    return sql<boolean>`case when ${column.sql} ~ ${numeric.source}
                             then (${column.sql})::numeric ${sql.raw(operator)} ${text}::numeric
                             else ${plainly} end`
  }
}

const numeric = /^-?[0-9]{1,100}(\.[0-9]{1,100})?$/

/**
 * In lower case, as ICU's root collation has it, which is there on every server: under the collation "C" only ASCII letters
 * have cases. What ILIKE does by itself stands here in two parts, because an index can only be had of the first.
 */
const lower = (text: Sql): Sql => sql`lower((${text})::text collate "und-x-icu")`

function like(patternOf: (text: string) => string) {
  return (column: Column, value: string | readonly string[]): Condition =>
    sql<boolean>`${lower(column.sql)} like ${lower(sql`${patternOf(String(value))}`)}`
}

/** Byte by byte, which an index in that order serves: a range. */
function beginsWith(column: Column, value: string | readonly string[]): Condition {
  return sql<boolean>`${lower(column.sql)} collate "C" ^@ ${lower(sql`${String(value)}`)} collate "C"`
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, found => `\\${found}`)
}

/** PostgreSQL refuses a pattern that ends in a backslash with nothing behind it: there it stands for itself. */
function pattern(text: string): string {
  return /(?<!\\)(\\\\)*\\$/.test(text) ? `${text}\\` : text
}

const hasText = like(text => `%${escaped(text)}%`)

/**
 * What an index of trigrams is asked for is a few of them that do not overlap: for all eleven of "frankfurt 103" it takes
 * twenty times as long to find the same records. The whole text is then looked for in these.
 */
function containsText(column: Column, value: string | readonly string[]): Condition {
  const text = String(value)
  const some = column.trigrams ? someTrigrams(text) : []
  if (some.length === 0 || some[0] === text) return hasText(column, text)
  return sql<boolean>`(${lower(column.sql)} like ${lower(sql`${`%${some.join('%')}%`}`)}
                       and strpos(${lower(column.sql)}, ${lower(sql`${text}`)}) > 0)`
}

/**
 * The first and the last of each word, in their order; beside such a one, shorter words with what stands next to them. Of
 * ASCII alone: there the case of a letter is its own affair, and under the collation "C" an index of trigrams takes all
 * other letters for no part of a word, so that of "köln" it knows the "k" and the "ln".
 */
function someTrigrams(text: string): string[] {
  const found = text.match(words) ?? []
  return found.some(word => longWord.test(word)) ? found.slice(0, 8).flatMap(endsOf) : []
}

function endsOf(word: string): string[] {
  if (!longWord.test(word)) return [word]
  return word.length < 6 ? [word.slice(0, 3)] : [word.slice(0, 3), word.slice(-3)]
}

const longWord = /^[a-zA-Z0-9]{3}/

const words = (() => {
  // Neither what stands for something in a pattern, nor Σ, whose lower case depends on what stands beside it.
  const beside = String.raw`[^a-zA-Z0-9%_\\Σ]`
  const letter = '[a-zA-Z0-9]'
  const two = `${letter}{2}${beside}|${beside}${letter}{2}(?!${letter}|${beside})`
  return new RegExp(`${letter}{3,}|${two}|${beside}${letter}${beside}`, 'gu')
})()

/** An array that has the element, as a string or as JSON; an object that has the members of a JSON object. */
function hasElement(column: Column, text: string): Condition {
  const asString = sql<boolean>`${column.sql} @> to_jsonb(${text}::text)`
  const parsed = parse(text)
  if (parsed === undefined) return asString
  const value = JSON.stringify(parsed)
  return sql<boolean>`(${asString} or ${column.sql} @> ${value}::jsonb
                       or ${column.sql} @> jsonb_build_array(${value}::jsonb))`
}

function parse(text: string): unknown {
  try {
    // Lone surrogates and NULs are JSON that jsonb refuses; as JSON they name no element, and what is too deep neither.
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

function is(truth: 'true' | 'false') {
  return ({ sql: expression }: Column, value: string | readonly string[]): Condition =>
    sql<boolean>`((${expression}) is ${sql.raw(truth)}) = ${value === 'true'}`
}

const isNull = ({ sql: expression }: Column, wanted: boolean): Condition =>
  wanted ? sql<boolean>`(${expression}) is null` : sql<boolean>`(${expression}) is not null`
