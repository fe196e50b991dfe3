import { fillIn, valueAt } from '#json/fill-in.ts'
import { isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'

// Blanks are cut afterwards: a pattern that does takes cubic time for blanks without an end.
const whole = /^\{\{([^{}]*)\}\}$/
const placeholders = /\{\{([^{}]*)\}\}/g

/**
 * Patterns of JSON Schema. `alone`: exactly one placeholder. `within`: a text whose placeholders, if it has any, are well
 * formed: each `{` that is not part of one is followed by something else than `{`, also once placeholders are replaced
 * by nothing.
 */
export const placeholderPatterns = patternsOf('\\{\\{(?!\\s*[.}])(?![^{}]*\\.\\.)(?![^{}]*\\.\\s*\\}\\})[^{}]+\\}\\}')

function patternsOf(one: string) {
  return {
    alone: `^${one}$`,
    within: `^(?:${one}|[^{]|\\{(?!(?:${one})*\\{(?!\\{[^{}]*\\}\\})))*$`,
  } as const
}

/** Whether a text contains a placeholder for a property's value. */
export const holdsPlaceholder = (text: string): boolean => text.includes('{{')

/** Whether the text is exactly one placeholder: then the value is inserted as it is, also a number or a document. */
export const isPlaceholder = (value: unknown): value is string => typeof value === 'string' && whole.test(value)

/** Checks the syntax of placeholders. Returns the fault, or undefined. */
export function placeholderFault(text: string): string | undefined {
  if (!holdsPlaceholder(text)) return undefined
  const names = [...text.matchAll(placeholders)].map(([, name]) => name!.trim())
  if (names.some(name => name === '' || name.split('.').includes('')))
    return 'A placeholder names a property, such as {{release.version}}.'
  if (text.replace(placeholders, '').includes('{{'))
    return 'A placeholder begins with "{{" and ends with "}}", such as {{release.version}}.'
  return undefined
}

/** A value with its properties inserted, or the names of unknown ones. */
export type Filled<T> = { readonly value: T } | { readonly unknown: readonly string[] }

export function fillText(text: string, properties: JsonObject): Filled<string> {
  const { text: value, unknown } = fillIn(text, '', properties)
  return unknown.length > 0 ? { unknown: unknown.map(({ name }) => name) } : { value }
}

/** Texts at all depths; one that is a placeholder is replaced by the property's value, of whatever kind. */
export function fillValue(value: Json, properties: JsonObject): Filled<Json> {
  const missing: string[] = []
  const fill = (at: Json): Json => {
    if (Array.isArray(at)) return at.map(fill)
    if (isObject(at)) return objectOf(Object.entries(at).map(([key, each]) => [key, fill(each)] as const))
    if (typeof at !== 'string') return at
    const path = whole.exec(at)?.[1]?.trim()
    if (path !== undefined) {
      const found = valueAt(properties, path)
      if (found === undefined) missing.push(path)
      return found ?? null
    }
    const filled = fillText(at, properties)
    if ('value' in filled) return filled.value
    missing.push(...filled.unknown)
    return at
  }
  const filled = fill(value)
  return missing.length > 0 ? { unknown: missing } : { value: filled }
}
