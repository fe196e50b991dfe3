import { fromJson } from '#json/from-json.ts'
import { numberFault } from '#json/written-number.ts'
import { run as texts } from '../../messages/run.ts'

/** Value that a person has typed, or why its text is none. */
export type TypedValue = { readonly value: unknown } | { readonly fault: string }

const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
])

/**
 * Value of a text, by the rule of the command line: a text becomes something else only if nothing is lost.
 *
 *     true false null 8080 0.5           the value itself
 *     [1, 2]  {"port": 1}  "8080"        JSON
 *     anything else, 007, 1.10 and CHG-1 a text
 */
export function typedValue(text: string): TypedValue {
  if (literals.has(text)) return { value: literals.get(text) }
  if (/^-?\d/.test(text) && String(Number(text)) === text) return { value: Number(text) }
  // {{ begins a placeholder.
  if (!/^(\[|\{(?!\{)|")/.test(text)) return { value: text }
  try {
    return { value: fromJson(text, withAllDigits) }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? texts.notJson : (error as Error).message }
  }
}

/** Reviver that refuses numbers which would lose digits. */
function withAllDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const fault = typeof value === 'number' && context?.source !== undefined ? numberFault(context.source) : undefined
  if (fault !== undefined) throw new Error(fault)
  return value
}

/** Text on one line that `typedValue` reads as the value: texts are written as JSON only where they need it. */
export const typedText = (value: unknown): string =>
  typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value)

function isPlain(text: string): boolean {
  const read = typedValue(text)
  return text !== '' && text === text.trim() && !/[\n\r]/.test(text) && 'value' in read && read.value === text
}
