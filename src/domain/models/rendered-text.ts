import { fromJson } from '#json/from-json.ts'
import { Failure } from '#platform/failure.ts'
import { parseJson } from '#platform/jsonapi/json.ts'

/** Position in the rendered text, from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Parses the output of a template as a document (pure). A fault names the place but never the text there, which
 * contains properties.
 *
 * @param breaks where the interpreter stopped reading
 * @returns `data`: JSON of an object that contains `actions`
 */
export function readRendered(
  text: string,
  breaks: Place | undefined,
): { readonly data: string } | { readonly error: string } {
  const value = parsed(text, breaks)
  if ('error' in value) return value
  if (typeof value.value !== 'object' || value.value === null || Array.isArray(value.value))
    return { error: 'The rendered text is JSON, but not an object: {"actions": …}.' }
  if (!Object.hasOwn(value.value, 'actions')) return { error: 'The rendered object has no "actions".' }
  return { data: JSON.stringify(value.value) }
}

function parsed(text: string, breaks: Place | undefined): { readonly value: unknown } | { readonly error: string } {
  try {
    const { value, faults } = parseJson(Buffer.from(text))
    if (faults.length === 0) return { value }
    return { error: faults.map(({ detail, source }) => `${detail} (${source?.pointer})`).join('\n') }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (isNoJson(text)) return { error: `The rendered text is not JSON: ${where(text, breaks)}.` }
    return { error: error.faults.map(({ detail, source }) => `${detail} (${source?.pointer ?? ''})`).join('\n') }
  }
}

function isNoJson(text: string): boolean {
  try {
    fromJson(text)
    return false
  } catch {
    return true
  }
}

function where(text: string, breaks: Place | undefined): string {
  if (text.trim() === '') return 'it is empty'
  return breaks ? `it breaks off at its line ${breaks.line}, column ${breaks.column}` : 'it breaks off'
}
