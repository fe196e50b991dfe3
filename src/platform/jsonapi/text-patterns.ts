import { type Sql, sql } from '../db/sql.ts'
import type { Column } from './resource.ts'

/** Case-insensitive search of texts in lists: beginnings, ends, parts and patterns. */

export type Condition = Sql<boolean>
export type Value = string | readonly string[]
export type OfMany = (column: Column, values: readonly string[], ending: 'any' | 'all') => Condition | undefined

interface Asked {
  readonly sql: (column: Column, value: Value) => Condition
  readonly ofMany: OfMany
}

/**
 * Lower case by ICU's root collation, which every server has: under the collation "C" only ASCII letters have cases.
 * ILIKE is split into lower() and LIKE, because only lower() can be indexed.
 */
const lower = (text: Sql): Sql => sql`lower((${text})::text collate "und-x-icu")`

/**
 * Condition that a text matches the pattern of a value; `ofShort` for short texts if an index has a better way. For
 * several values the text is lowered once, whatever their number.
 */
export function like(
  patternOf: (text: string) => string,
  ofShort: (column: Column, value: Value) => Condition = (column, value) =>
    sql<boolean>`${lower(column.sql)} like ${lower(sql`${patternOf(String(value))}`)}`,
): Asked {
  return {
    sql: (column, value) =>
      column.long ? likeInPieces(column, [patternOf(String(value))], 'any') : ofShort(column, value),
    ofMany: (column, values, ending) => {
      const patterns = values.map(patternOf)
      if (column.long) return likeInPieces(column, patterns, ending)
      // An index of trigrams is searched for each value.
      if (column.trigrams) return undefined
      return sql<boolean>`${lower(column.sql)} like ${sql.raw(ending)} (${lowered(patterns)})`
    },
  }
}

/**
 * Lower-case patterns of a list that may be long: computed once for a statement, whose text is the same for any number.
 */
const lowered = (patterns: readonly string[]): Sql =>
  sql`(select array_agg(${lower(sql`pattern`)} collate "C") from unnest(${patterns}::text[]) pattern)::text[]`

/**
 * Number of byte comparisons with a pattern that take a quarter of a second, during which the statement cannot be
 * cancelled.
 */
const mostAtOnce = 2 ** 28

/** Longer texts are searched in pieces (`sluice_like`), between which PostgreSQL checks for interrupts. */
function likeInPieces(column: Column, patterns: readonly string[], ending: 'any' | 'all'): Condition {
  const asked = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
  const longest = Math.min(65_536, Math.floor(mostAtOnce / Math.max(asked, 1)))
  const all = lowered(patterns)
  return sql<boolean>`case when octet_length((${column.sql})::text) <= ${sql.lit(longest)}
                           then ${lower(column.sql)} like ${sql.raw(ending)} (${all})
                           else sluice_like((${column.sql})::text collate "C", ${all}, ${sql.lit(ending === 'all')}) end`
}

/** Expression that an index of beginnings is on. */
export const beginningOf = (column: Column): Sql => sql`${lower(column.sql)} collate "C"`

/** Condition that a text begins with a value, byte by byte: an index in that order serves it by a range. */
export function beginsWith(column: Column, value: Value): Condition {
  return sql<boolean>`${beginningOf(column)} ^@ ${lower(sql`${String(value)}`)} collate "C"`
}

export function startPattern(text: string): string {
  return `${escaped(text)}%`
}

export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, found => `\\${found}`)
}

/**
 * Completes a pattern that ends in a backslash, so that the backslash is literal: PostgreSQL would refuse the pattern.
 */
export function pattern(text: string): string {
  return /(?<!\\)(\\\\)*\\$/.test(text) ? `${text}\\` : text
}

const hasText = (column: Column, text: string): Condition =>
  sql<boolean>`${lower(column.sql)} like ${lower(sql`${`%${escaped(text)}%`}`)}`

/**
 * Searches for a text by an index of trigrams. The index is searched for a few trigrams that do not overlap: with all
 * eleven of "frankfurt 103" it takes twenty times as long to find the same records. The whole text is then searched for
 * in these.
 */
export function containsText(column: Column, value: Value): Condition {
  const text = String(value)
  const some = column.trigrams ? someTrigrams(text) : []
  if (some.length === 0 || some[0] === text) return hasText(column, text)
  return sql<boolean>`(${lower(column.sql)} like ${lower(sql`${`%${some.join('%')}%`}`)}
                       and strpos(${lower(column.sql)}, ${lower(sql`${text}`)}) > 0)`
}

/**
 * Trigrams of a text: the first and the last of each word, in their order; next to a long word, shorter words with the
 * adjacent characters. Only ASCII: there the case of a letter does not depend on others, and under the collation "C" an
 * index of trigrams treats all other letters as separators, so that of "köln" it has the "k" and the "ln".
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
  // Neither a special character of patterns, nor Σ, whose lower case depends on the characters beside it.
  const beside = String.raw`[^a-zA-Z0-9%_\\Σ]`
  const letter = '[a-zA-Z0-9]'
  const two = `${letter}{2}${beside}|${beside}${letter}{2}(?!${letter}|${beside})`
  return new RegExp(`${letter}{3,}|${two}|${beside}${letter}${beside}`, 'gu')
})()
