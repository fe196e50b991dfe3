import { pointerPart } from '../jsonapi/json.ts'
import { equal, hasKey, isObject, type Json } from './document.ts'
import type { Operation } from './json-patch.ts'

/**
 * An RFC 6902 patch from one document to another; empty if they are equal. Objects are compared key by key, arrays
 * element by element after their equal beginnings and ends are removed: an insertion into a list is one operation and
 * not a list of new values. The order of keys is no difference.
 */
export function differences(before: Json, after: Json, at = ''): Operation[] {
  if (before === after) return []
  if (Array.isArray(before) && Array.isArray(after)) return ofArrays(before, after, at)
  if (!isObject(before) || !isObject(after))
    return equal(before, after) ? [] : [{ op: 'replace', path: at, value: after }]
  const below = (key: string) => `${at}/${pointerPart(key)}`
  return [
    ...Object.keys(before)
      .filter(key => !hasKey(after, key))
      .map((key): Operation => ({ op: 'remove', path: below(key) })),
    ...Object.keys(after).flatMap((key): Operation[] => {
      const value = after[key]!
      if (!hasKey(before, key)) return [{ op: 'add', path: below(key), value }]
      return before[key] === value ? [] : differences(before[key]!, value, below(key))
    }),
  ]
}

function ofArrays(before: readonly Json[], after: readonly Json[], at: string): Operation[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && equal(before[start]!, after[start]!)) start++
  let end = 0
  while (end < shorter - start && equal(before.at(-1 - end)!, after.at(-1 - end)!)) end++
  const [old, wanted] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const both = Math.min(old.length, wanted.length)
  return [
    ...wanted.slice(0, both).flatMap((each, i) => differences(old[i]!, each, `${at}/${start + i}`)),
    // From the end, so that each index is that of the element which it names.
    ...old
      .slice(both)
      .map((_, i): Operation => ({ op: 'remove', path: `${at}/${start + both + i}` }))
      .toReversed(),
    ...wanted.slice(both).map((value, i): Operation => ({ op: 'add', path: `${at}/${start + both + i}`, value })),
  ]
}
