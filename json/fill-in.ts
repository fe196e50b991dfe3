type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

// Blanks are cut afterwards: a pattern that does takes cubic time for blanks without an end.
const placeholder = /\{\{([^{}]*)\}\}/g

/** Name in `{{…}}` that is no converged property, with its place in the text. */
export interface UnknownProperty {
  readonly name: string
  readonly where: string
}

/**
 * Fills `{{path}}` in the values of a body's environment and in its interpreter's arguments. A path is keys joined by
 * dots; elements of arrays go by number. Inserted values are data: they are in an environment variable or an argument,
 * and no shell ever parses them. Scripts are left alone, for `{{` means something in many languages.
 */
export function fillIn(
  text: string,
  where: string,
  properties: JsonObject,
): { text: string; unknown: UnknownProperty[] } {
  const unknown: UnknownProperty[] = []
  const filled = text.replace(placeholder, (whole, between: string) => {
    const name = between.trim()
    const value = valueAt(properties, name)
    if (value !== undefined) return asText(value)
    unknown.push({ name, where })
    return whole
  })
  return { text: filled, unknown }
}

/** The value under dotted keys, or undefined where there is none. */
export function valueAt(document: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = document
  for (const key of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? (value as readonly Json[])[Number(key)] : undefined
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (value === undefined) return undefined
  }
  return value
}

/** Text as it is, null as nothing, everything else as JSON. */
export const asText = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
