import { equal, hasKey, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import { pointerPart } from '#platform/jsonapi/json.ts'

/** Value that differs between two documents; a side without it has no member. */
export interface PropertyDifference {
  /** JSON pointer of the value. */
  readonly pointer: string
  readonly before?: Json
  readonly after?: Json
}

/**
 * Values that differ between two documents, in the order of the second one, and then those that only the first one has.
 * Objects are compared key by key, lists as a whole: a person compares the two values.
 */
export function propertyDifferences(before: JsonObject, after: JsonObject, at = ''): PropertyDifference[] {
  const below = (key: string) => `${at}/${pointerPart(key)}`
  const differing = Object.keys(after).flatMap((key): PropertyDifference[] => {
    const [pointer, value] = [below(key), after[key]!]
    if (!hasKey(before, key)) return [{ pointer, after: value }]
    const old = before[key]!
    if (isObject(old) && isObject(value)) return propertyDifferences(old, value, pointer)
    return equal(old, value) ? [] : [{ pointer, before: old, after: value }]
  })
  const removed = Object.keys(before).filter(key => !hasKey(after, key))
  return [...differing, ...removed.map(key => ({ pointer: below(key), before: before[key]! }))]
}
