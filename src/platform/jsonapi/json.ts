import { fromJson } from '#json/from-json.ts'
import { hasAllDigits, numberFault } from '#json/written-number.ts'
import { Failure, type Fault, failure } from '../failure.ts'
import { textFault } from '../stored-text.ts'
import { namedTwice } from './named-twice.ts'

/** Maximum nesting of a body. */
export const deepest = 64

/**
 * Parses a body of JSON. Values that PostgreSQL could not store or JavaScript would change are refused with a pointer
 * to them: U+0000, lone surrogates and duplicate names are malformed; numbers that would silently change are invalid.
 */
export function parseJson(bytes: Uint8Array): { value: unknown; faults: Fault[] } {
  const { text, value } = parse(bytes)
  const found: Found = { malformed: [], invalid: [], names: 0, lossy: lossyIn(text) }
  look(value, [], found)
  const { malformed, invalid: faults } = found
  const twice = malformed.length === 0 ? namedTwice(text, found.names) : undefined
  if (twice) {
    const pointer = twice.map(part => `/${pointerPart(part)}`).join('')
    const detail = `"${twice.at(-1)}" is given twice: say it once.`
    malformed.push({ code: 'malformed-json', detail, source: { pointer } })
  }
  if (malformed.length) throw new Failure(malformed as [Fault, ...Fault[]])
  return { value, faults }
}

interface Found {
  readonly malformed: Fault[]
  readonly invalid: Fault[]
  /** Number of names in the objects, each counted once. */
  names: number
  /** Numbers written with more digits than JavaScript keeps. */
  readonly lossy: ReadonlySet<number>
}

function parse(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: fromJson(text) }
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
    throw failure('malformed-json', `The body is not JSON: ${why.slice(0, 200)}`)
  }
}

/** @param path the keys that lead to the value: pushed and popped, since 100,000 pointers took longer than all the checks */
function look(value: unknown, path: string[], found: Found): void {
  const { malformed, invalid } = found
  if (typeof value === 'string') {
    lookAtText(value, path, malformed)
  } else if (typeof value === 'number') {
    const detail = faultOfNumber(value) ?? (found.lossy.has(value) ? digitsLost(value) : undefined)
    if (detail !== undefined) invalid.push({ code: 'invalid', detail, source: { pointer: pointerOf(path) } })
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= deepest) {
      if (malformed.some(fault => fault.code === 'too-deep')) return
      const detail = `A body is nested at most ${deepest} levels deep; here it is deeper.`
      malformed.push({ code: 'too-deep', detail, source: { pointer: pointerOf(path) } })
      return
    }
    const isArray = Array.isArray(value)
    for (const key of Object.keys(value)) {
      path.push(key)
      if (!isArray) {
        found.names += 1
        lookAtText(key, path, malformed)
      }
      look((value as Record<string, unknown>)[key], path, found)
      path.pop()
    }
  }
}

const digitsLost = (value: number): string => `The number loses digits, it would become ${value}: write it as a string.`

/**
 * Numbers that lose digits when they are parsed, found by comparing each with its text. Searched only if a number is
 * long or has an exponent.
 */
function lossyIn(text: string): Set<number> {
  const lossy = new Set<number>()
  if (/\d[\d.]{15}|\d[eE][-+]?\d/.test(text))
    fromJson(text, (_, value, context) => {
      const { source } = context ?? {}
      if (typeof value === 'number' && source !== undefined && numberFault(source) && !hasAllDigits(source))
        lossy.add(value)
      return value
    })
  return lossy
}

/** Whether a value is nested deeper than any body may be, so that no stored value can contain it. */
export const isTooDeep = (value: unknown, depth = 1): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > deepest || Object.values(value).some(each => isTooDeep(each, depth + 1)))

/**
 * Fault of a number that cannot be stored. JavaScript reads numbers beyond its range as infinity, which JSON writes as
 * null.
 */
function faultOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'The number is larger than any that is kept: write it as a string.'
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'Integers beyond 2^53 lose digits: write it as a string.'
  return undefined
}

function lookAtText(text: string, path: readonly string[], malformed: Fault[]): void {
  const fault = textFault(text)
  if (!fault) return
  const pointer = pointerOf(path).replaceAll('\0', '\\u0000').toWellFormed()
  malformed.push({ ...fault, source: { pointer } })
}

/** One part of a JSON pointer (RFC 6901). */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The JSON pointer to what these keys lead to; '' for no keys. */
export const pointerOf = (keys: readonly string[]): string => keys.map(key => `/${pointerPart(key)}`).join('')
