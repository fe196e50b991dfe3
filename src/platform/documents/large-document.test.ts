import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textFault } from '../stored-text.ts'
import { deepest, documentFaults, hasKey, isObject, type Json, type JsonObject, objectOf, textOf } from './document.ts'
import { differences } from './json-diff.ts'
import { applyOperations, changedPointers, mergePatch } from './json-patch.ts'

/**
 * Walks over documents that write no pointer and copy no object unless they have to, each compared with a plain
 * function that does both for every value.
 */
const key = fc.constantFrom('a', 'b', '', '7', '0', '__proto__', 'constructor', '~', '/', 'a/b~c', '\0', '\ud800')
const leaf = fc.constantFrom<Json>(null, true, 0, -1.5, 2 ** 53, 'text', '\0', '\ud800')
const { document } = fc.letrec<{ document: Json; object: JsonObject }>(tie => ({
  document: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('document'), { maxLength: 3 })),
  object: fc.array(fc.tuple(key, tie('document')), { maxLength: 5 }).map(entries => objectOf(entries)),
}))
const object = document.filter(isObject)

const part = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

test('a merge patch makes what the algorithm of RFC 7396 makes of every value, in the same order, and changes nothing in place', () => {
  const plainly = (target: Json, patch: Json): Json => {
    if (!isObject(patch)) return patch
    const members = new Map(isObject(target) ? Object.entries(target) : [])
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) members.delete(name)
      else members.set(name, plainly(members.get(name) ?? null, value))
    }
    return objectOf(members)
  }
  fc.assert(
    fc.property(document, document, (before, patch) => {
      const [text, patchText] = [textOf(before), textOf(patch)]
      assert.equal(textOf(mergePatch(before, patch)), textOf(plainly(before, patch)))
      assert.deepEqual([textOf(before), textOf(patch)], [text, patchText])
    }),
    { numRuns: 3_000 },
  )
})

test('changed pointers are the same of documents that share values and of copies of them', () => {
  const same = (a: Json, b: Json): boolean => {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
    const [ofA, ofB] = [Object.entries(a), new Map(Object.entries(b))]
    const alike = Array.isArray(a) === Array.isArray(b) && ofA.length === ofB.size
    return alike && ofA.every(([name, value]) => ofB.has(name) && same(value, ofB.get(name)!))
  }
  const plainly = (before: Json, after: Json, at = ''): string[] => {
    if (same(before, after)) return []
    if (!isObject(before) || !isObject(after)) return [at]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(name => {
      const below = `${at}/${part(name)}`
      return hasKey(before, name) && hasKey(after, name) ? plainly(before[name]!, after[name]!, below) : [below]
    })
  }
  fc.assert(
    fc.property(document, document, (before, patch) => {
      const after = mergePatch(before, patch)
      const copy = structuredClone(after)
      for (const wanted of [after, ...(textOf(copy) === textOf(after) ? [copy] : []), patch])
        assert.deepEqual(changedPointers(before, wanted), plainly(before, wanted))
    }),
    { numRuns: 3_000 },
  )
})

test('differences lead from a document to the one that a merge patch makes of it', () => {
  const sorted = (value: Json): Json =>
    isObject(value)
      ? objectOf(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value
  fc.assert(
    fc.property(document, document, (before, patch) => {
      const after = mergePatch(before, patch)
      const operations = differences(before, after)
      assert.equal(textOf(sorted(applyOperations(before, operations))), textOf(sorted(after)))
      assert.equal(operations.length === 0, textOf(sorted(before)) === textOf(sorted(after)))
    }),
    { numRuns: 3_000 },
  )
})

test('faults of a document are those of each of its values, each with its pointer', () => {
  const plainly = (value: unknown, at: string, depth = 1): { code: string; at: string }[] => {
    const ofText = (text: string) => {
      const fault = textFault(text)
      return fault ? [{ code: fault.code, at }] : []
    }
    if (typeof value === 'string') return ofText(value)
    if (typeof value === 'number')
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? [{ code: 'invalid', at }] : []
    if (typeof value !== 'object' || value === null) return []
    if (depth > deepest) return [{ code: 'too-deep', at }]
    return Object.entries(value).flatMap(([name, each]) => [
      ...ofText(name),
      ...plainly(each, `${at}/${part(name)}`, depth + 1),
    ])
  }
  fc.assert(
    fc.property(object, fc.nat({ max: 2 }), (value, levels) => {
      let nested: Json = value
      for (let level = 0; level < levels * 32; level++) nested = level % 2 ? { in: nested } : [nested]
      const found = documentFaults(nested, '/data').map(({ code, source }) => ({ code, at: source?.pointer }))
      assert.deepEqual(found, plainly(nested, '/data'))
    }),
    { numRuns: 1_500 },
  )
})
