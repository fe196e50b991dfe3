import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from './step.ts'

/** An operation of a JSON Patch (RFC 6902). */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'test'
  readonly path: string
  readonly value?: Json
}

/**
 * The patch that turns `before` into `after` (pure). Lists have `test` operations: the patch is applied to the owner's
 * current properties, in which an index alone might refer to another element.
 */
export function patchBetween(before: Json, after: Json, path = ''): Operation[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isObject(before) && isObject(after)) return ofObjects(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path)
  return [{ op: 'replace', path, value: after }]
}

function ofObjects(before: JsonObject, after: JsonObject, path: string): Operation[] {
  const at = (key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const removed = Object.keys(before).filter(key => !Object.hasOwn(after, key))
  return [
    ...removed.map((key): Operation => ({ op: 'remove', path: at(key) })),
    ...Object.entries(after).flatMap(([key, value]): Operation[] =>
      Object.hasOwn(before, key) ? patchBetween(before[key]!, value, at(key)) : [{ op: 'add', path: at(key), value }],
    ),
  ]
}

/**
 * Compares lists: equal elements at both ends stay; those in between are replaced, then removed from the end on, or
 * added.
 */
function ofLists(before: readonly Json[], after: readonly Json[], path: string): Operation[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isDeepStrictEqual(before[head], after[head])) head += 1
  let tail = 0
  while (tail < shorter - head && isDeepStrictEqual(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const [old, made] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const both = Math.min(old.length, made.length)
  const is = (i: number): Operation => ({ op: 'test', path: `${path}/${i}`, value: before[i]! })

  const replaced = made
    .slice(0, both)
    .flatMap((value, i): Operation[] => [is(head + i), { op: 'replace', path: `${path}/${head + i}`, value }])
  const removed = old
    .slice(both)
    .map((_, i) => head + both + i)
    .toReversed()
    .flatMap((i): Operation[] => [is(i), { op: 'remove', path: `${path}/${i}` }])
  const added = made.slice(both)
  if (added.length === 0) return [...replaced, ...removed]
  // At the end of the list no index can be wrong.
  if (tail === 0) return [...replaced, ...added.map((value): Operation => ({ op: 'add', path: `${path}/-`, value }))]
  const from = head + both
  return [
    ...replaced,
    is(from),
    ...added.map((value, i): Operation => ({ op: 'add', path: `${path}/${from + i}`, value })),
  ]
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
