import { fromJson } from '#json/from-json.ts'
import { type Sql, sql } from '../db/sql.ts'
import { textFault } from '../stored-text.ts'
import { isTooDeep } from './json.ts'
import type { Column, Kind } from './resource.ts'
import { readTime } from './times.ts'

interface KindRow {
  /** Description of a valid value that follows "is not". */
  readonly means: string
  /** The SQL type that values are compared as. */
  readonly type: string
  /** The value as text that PostgreSQL reads, or undefined if the text is not a valid value. Nothing is guessed. */
  readonly read: (text: string) => string | undefined
  /** Whether rows can be sorted by the value, and compared by lt and gt. */
  readonly ordered: boolean
}

/** Parsing and comparison of the values of each kind. */
export const kinds: Record<Kind, KindRow> = {
  text: { means: 'a text', type: 'text', read: text => text, ordered: true },
  integer: { means: 'an integer', type: 'bigint', read: integer, ordered: true },
  number: { means: 'a number', type: 'numeric', read: number, ordered: true },
  boolean: { means: 'a boolean (true or false)', type: 'boolean', read: boolean, ordered: true },
  time: {
    means: 'an ISO 8601 time such as 2026-11-21T02:00:00.123456Z',
    type: 'timestamptz',
    read: readTime,
    ordered: true,
  },
  id: { means: 'a UUID', type: 'uuid', read: uuid, ordered: true },
  json: { means: 'JSON', type: 'jsonb', read: json, ordered: false },
  opaque: { means: 'something to compare with', type: 'text', read: () => undefined, ordered: false },
}

/**
 * A column as lists compare and sort it: text bytewise whatever the database's collation (the planner sees no
 * operation).
 */
export const operand = (column: Column): Sql => (column.kind === 'text' ? sql`(${column.sql}) collate "C"` : column.sql)

export const typed = (kind: Kind, value: string | null): Sql => sql`${value}::${sql.raw(kinds[kind].type)}`

export const typedList = (kind: Kind, values: readonly string[]): Sql => sql`${values}::${sql.raw(kinds[kind].type)}[]`

/** A database value as text for cursors: its kind's SQL type reads the same value from it. */
export const asText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : String(value)

const yes = new Set(['true', 't', '1', 'yes', 'on'])
const no = new Set(['false', 'f', '0', 'no', 'off'])

/** Parses a boolean as queries write it; undefined for anything else. */
export function truth(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

function boolean(text: string): string | undefined {
  const value = truth(text)
  return value === undefined ? undefined : String(value)
}

const biggest = 2n ** 63n - 1n

function integer(text: string): string | undefined {
  if (!/^[+-]?\d{1,25}$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return value > biggest || value < -biggest - 1n ? undefined : String(value)
}

function number(text: string): string | undefined {
  return /^[+-]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})([eE][+-]?\d{1,2})?$/.test(text) ? text : undefined
}

function uuid(text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : undefined
}

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

function json(text: string): string | undefined {
  try {
    const value: unknown = fromJson(text, (name, each) => {
      for (const said of [name, each]) {
        if (typeof said === 'string' && textFault(said)) throw new Error('not storable')
      }
      return each
    })
    return isTooDeep(value) ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}
