import { equal, hasKey, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'

/**
 * Differences of two documents: a tree of keys, `whole` where the values below differ as a whole. Undefined where they
 * are equal.
 */
export type ChangedPaths = 'whole' | ReadonlyMap<string, ChangedPaths>

export function changedPaths(before: Json, after: Json): ChangedPaths | undefined {
  if (!isObject(before) || !isObject(after) || canRemoveKeys(before) || canRemoveKeys(after))
    return equal(before, after) ? undefined : 'whole'
  const changed = new Map<string, ChangedPaths>()
  for (const key of Object.keys(before)) {
    const there = hasKey(after, key) ? changedPaths(before[key]!, after[key]!) : 'whole'
    if (there) changed.set(key, there)
  }
  for (const key of Object.keys(after)) if (!hasKey(before, key)) changed.set(key, 'whole')
  return changed.size ? changed : undefined
}

/**
 * Reduces a layer to the parts that affect these paths: the values there, and above them those that would replace or
 * remove the objects on the way. Merged with other reduced layers, the result has the same differences as with whole
 * layers.
 */
export function reducedTo(changed: ChangedPaths, value: Json): Json {
  if (changed === 'whole' || !isObject(value)) return value
  if (canRemoveKeys(value)) return value
  const reduced: Record<string, Json> = {}
  for (const [key, changesBelow] of changed) {
    if (!hasKey(value, key)) continue
    const kept = reducedTo(changesBelow, value[key]!)
    Object.defineProperty(reduced, key, { value: kept, writable: true, enumerable: true, configurable: true })
  }
  return reduced as JsonObject
}

/** `{"$remove": true}` removes inherited values, and an object with more keys could become it without these. */
const canRemoveKeys = (value: JsonObject): boolean => hasKey(value, '$remove')
