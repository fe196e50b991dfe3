import { fromJson } from '#json/from-json.ts'
import type { Column, Kind } from './resource.ts'

/** Values of attributes compared in memory exactly as lists compare them in SQL. */

/** A record by its attributes, as lists show it, including its `id`. An absent attribute is null. */
export type Attributes = Readonly<Record<string, unknown>>

/** Value of an attribute as a filter sees it: null, or a value of the column's kind. */
export function filteredValue(column: Column, name: string, record: Attributes, isForEquality: boolean): unknown {
  if (column.inMemory) return column.inMemory(record)[isForEquality ? 'equal' : 'value']
  return (Object.hasOwn(record, name) ? record[name] : null) ?? null
}

/** Whether `value` equals `given`, which `kinds[kind].read` has accepted. False for null. */
export function isEqual(kind: Kind, value: unknown, given: string): boolean {
  if (value === null) return false
  if (kind === 'json') return isSameJson(value, fromJson(given))
  if (kind === 'boolean') return String(value) === given
  return compareValues(kind, value, given) === 0
}

/** Order of two values of an ordered kind: negative, 0 or positive. */
export function compareValues(kind: Kind, value: unknown, given: string): number {
  switch (kind) {
    case 'integer':
    case 'number':
      return compareDecimals(String(value), given)
    case 'time':
      return Number(microsecondsOf(String(value)) - microsecondsOf(given))
    default:
      // Bytewise, as the collation "C": JavaScript's own order is by UTF-16.
      return Buffer.compare(Buffer.from(String(value)), Buffer.from(given))
  }
}

/** Exact order of two decimal numbers as text, with or without an exponent. */
function compareDecimals(a: string, b: string): number {
  const [one, other] = [decimalOf(a), decimalOf(b)]
  const exponent = Math.min(one.exponent, other.exponent)
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  const difference = scaled(one) - scaled(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function decimalOf(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}` || '0')
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length }
}

/** Microseconds since 1970 of an ISO 8601 time with an offset. */
function microsecondsOf(text: string): bigint {
  const [, upToSecond = '', fraction = '', zone = 'Z'] = /^(.{19})(?:\.(\d{1,6}))?(.*)$/.exec(text) ?? []
  return BigInt(Date.parse(`${upToSecond}${zone}`)) * 1_000n + BigInt(fraction.padEnd(6, '0'))
}

/** Lower case by Unicode's root locale, as ICU in PostgreSQL has it. */
export const lowerCase = (value: unknown): string => String(value).toLowerCase()

/** PostgreSQL's LIKE: `%` matches any text, `_` one character; a backslash escapes the next character. */
export function isLike(text: string, pattern: string): boolean {
  const characters = [...text]
  const [first = [], ...others] = partsOf(pattern)
  if (!fitsAt(characters, first, 0)) return false
  const last = others.pop()
  if (!last) return characters.length === first.length
  let at = first.length
  // The leftmost match of each part leaves the most room for the parts after it.
  for (const part of others) {
    while (at + part.length <= characters.length && !fitsAt(characters, part, at)) at += 1
    at += part.length
  }
  const start = characters.length - last.length
  return start >= at && fitsAt(characters, last, start)
}

/** A character, or undefined for any one. */
type Part = readonly (string | undefined)[]

/** A pattern cut at its `%`. */
function partsOf(pattern: string): Part[] {
  const parts: (string | undefined)[][] = [[]]
  for (const [piece] of pattern.matchAll(/\\.|./gsu)) {
    if (piece === '%') parts.push([])
    else
      parts
        .at(-1)!
        .push(piece === '_' ? undefined : piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece)
  }
  return parts
}

const fitsAt = (characters: readonly string[], part: Part, at: number): boolean =>
  at + part.length <= characters.length &&
  part.every((each, index) => each === undefined || each === characters[at + index])

/** Equality of jsonb: the order of members does not count. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return names.length === others.length && names.every(name => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
}

/** Containment of jsonb (`a @> b`), by which an array also contains a single scalar. */
export function containsJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && !isContainer(b)) return a.some(each => isSameJson(each, b))
  return containsPart(a, b)
}

function containsPart(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return isSameJson(a, b)
  if (Array.isArray(b)) return Array.isArray(a) && b.every(each => a.some(own => containsPart(own, each)))
  return !Array.isArray(a) && Object.keys(b).every(name => Object.hasOwn(a, name) && containsPart(a[name], b[name]))
}

/** Text of a JSON value as the operator `->>` of jsonb returns it; null for null. */
export function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : jsonbText(value)
}

function jsonbText(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(String(value))
  if (!isContainer(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  const names = Object.keys(value).toSorted((a, b) => {
    const [one, other] = [Buffer.from(a), Buffer.from(b)]
    return one.length - other.length || Buffer.compare(one, other)
  })
  return `{${names.map(name => `${JSON.stringify(name)}: ${jsonbText(value[name])}`).join(', ')}}`
}

/** A number without an exponent. */
function plainDecimal(text: string): string {
  if (!text.includes('e')) return text
  const { digits, exponent } = decimalOf(text)
  const sign = digits < 0n ? '-' : ''
  const written = String(digits < 0n ? -digits : digits)
  if (exponent >= 0) return `${sign}${written}${'0'.repeat(exponent)}`
  const padded = written.padStart(1 - exponent, '0')
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
