import { isObject, isSame } from './changed-values.ts'
import type { Data } from './data.ts'

/**
 * Document with the changes of two versions of it. Objects are merged key by key; where both changed the same value to
 * different ones, mine is kept.
 *
 * @param base version from which both began
 */
export const mergedDocument = (base: Data, theirs: Data, mine: Data): Data => {
  const merged = merge(base, theirs, mine)
  return isObject(merged) ? merged : mine
}

/** Undefined stands for no value. */
function merge(base: unknown, theirs: unknown, mine: unknown): unknown {
  if (isSame(mine, base)) return theirs
  if (!isObject(theirs) || !isObject(mine)) return mine
  const before = isObject(base) ? base : {}
  const entries = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap(key => {
    const value = merge(ofKey(before, key), ofKey(theirs, key), ofKey(mine, key))
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Value of a key; undefined if the object has no such key. */
const ofKey = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined
