import { Failure, type Fault, failure } from '../failure.ts'

/** access.md 4; interface.md 1.6. */
const deepest = 64

/**
 * Reads a body of JSON. What PostgreSQL could not store or JavaScript would change is refused with a pointer to it:
 * U+0000 and lone surrogates are malformed; integers beyond 2^53 would silently become others, and are not valid.
 */
export function parseJson(bytes: Uint8Array): { value: unknown; faults: Fault[] } {
  const value = parse(bytes)
  const malformed: Fault[] = []
  const invalid: Fault[] = []
  look(value, '', 1, malformed, invalid)
  if (malformed.length) throw new Failure(malformed as [Fault, ...Fault[]])
  return { value, faults: invalid }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
    throw failure('malformed-json', `The body is not JSON: ${why.slice(0, 200)}`)
  }
}

function look(value: unknown, pointer: string, depth: number, malformed: Fault[], invalid: Fault[]): void {
  if (typeof value === 'string') {
    lookAtText(value, pointer, malformed)
  } else if (typeof value === 'number') {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return
    invalid.push({
      code: 'invalid',
      detail: 'Integers beyond 2^53 lose digits: write it as a string.',
      source: { pointer },
    })
  } else if (typeof value === 'object' && value !== null) {
    if (depth > deepest) {
      if (malformed.some(fault => fault.code === 'too-deep')) return
      malformed.push({ code: 'too-deep', detail: `A body is nested at most ${deepest} levels deep.` })
      return
    }
    for (const [key, each] of Object.entries(value)) {
      const below = `${pointer}/${pointerPart(key)}`
      lookAtText(key, below, malformed)
      look(each, below, depth + 1, malformed, invalid)
    }
  }
}

function lookAtText(text: string, pointer: string, malformed: Fault[]): void {
  const source = { pointer: pointer.replaceAll('\0', '\\u0000').toWellFormed() }
  if (text.includes('\0')) malformed.push({ code: 'nul-character', detail: 'U+0000 has no place in a text.', source })
  else if (!text.isWellFormed()) {
    malformed.push({ code: 'malformed-json', detail: 'Half of a surrogate pair is no character.', source })
  }
}

/** One part of a JSON pointer (RFC 6901). */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
