import { isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { hidden } from '../settings/index.ts'

/** Characters of JSON that an event carries of the properties that a model was given. */
const most = 65_536

/**
 * Converged properties as an event may carry them: their shape, numbers and truths, references to secrets, and no other
 * text, because every text of a document that is kept encrypted may be a secret. Undefined when even that is too much.
 */
export function hiddenProperties(properties: JsonObject): JsonObject | undefined {
  const shown = withoutTexts(properties) as JsonObject
  return JSON.stringify(shown).length <= most ? shown : undefined
}

function withoutTexts(value: Json): Json {
  if (typeof value === 'string') return value.startsWith('secret://') ? value : hidden
  if (Array.isArray(value)) return value.map(withoutTexts)
  return isObject(value) ? objectOf(Object.entries(value).map(([key, each]) => [key, withoutTexts(each)])) : value
}
