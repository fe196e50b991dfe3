import pg from 'pg'
import { fromJson } from '#json/from-json.ts'

const oid = {
  int8: 20,
  json: 114,
  date: 1082,
  timestamptz: 1184,
  timestamptzArray: 1185,
  uuidArray: 2951,
  jsonb: 3802,
  xid8: 5069,
} as const

/**
 * Parsers of PostgreSQL's values. Times stay text with microseconds: a JavaScript Date would cut `…123456Z` to `…123Z`,
 * and equality filters, cursors and convergence at an instant would then miss rows.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    parsers[id] ?? pg.types.getTypeParser(id, format as 'text'),
}

const parsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: text => wholeNumber(text),
  [oid.json]: text => fromJson(text),
  [oid.jsonb]: text => fromJson(text),
  [oid.date]: text => text,
  [oid.timestamptz]: text => isoTime(text),
  [oid.timestamptzArray]: text => times(text),
  [oid.uuidArray]: text => elements(text).map(each => (each === 'NULL' ? null : each)),
  [oid.xid8]: text => text,
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`an integer from the database is beyond 2^53: ${text}`)
  return value
}

/** `2026-11-21 02:00:00.1+00` → `2026-11-21T02:00:00.100000Z`. Sessions may have another time zone than UTC. */
export function isoTime(text: string): string {
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-]\d\d(?::\d\d){0,2})$/.exec(text)
  if (!parts) throw new Error(`a time from the database has an unexpected form: ${text}`)
  const [, day, time, fraction = '', zone = ''] = parts
  const micros = fraction.padEnd(6, '0')
  if (zone === '+00') return `${day}T${time}.${micros}Z`
  const utc = new Date(`${day}T${time}${zone.length === 3 ? `${zone}:00` : zone}`)
  return `${utc.toISOString().slice(0, 19)}.${micros}Z`
}

const times = (text: string): string[] => elements(text).map(each => isoTime(each.replaceAll('"', '')))

/**
 * Parses an array of one dimension whose values contain no comma. The driver parses character by character: 25 ms for
 * the steps of a change that has ten thousand.
 */
const elements = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','))
