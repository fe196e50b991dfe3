import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { patchBetween } from './patch.ts'
import type { Json } from './step.ts'

const applied = (before: Json, patch: object[]) => {
  const document = structuredClone(before)
  const wrong = applyPatch(document, patch as never).filter(Boolean)
  return wrong.length > 0 ? wrong : document
}

describe('the patch between two documents', () => {
  test('makes the second of the first, whatever they are', () => {
    const { value } = fc.letrec<{ value: Json }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<Json>(null, true, 0, 1, 'a', 'b/~'),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.constantFrom('a', 'b', '/~', ''), tie('value')) as fc.Arbitrary<Json>,
      ),
    }))
    const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(document, document, (before, after) => {
        // fast-check's dictionaries have no prototype; documents that were parsed have one.
        const [from, to] = [before, after].map(each => JSON.parse(JSON.stringify(each)) as Json)
        assert.deepEqual(applied(from!, patchBetween(from!, to!)), to)
      }),
      { numRuns: 500 },
    )
  })

  test('says nothing of what is the same, and touches single keys', () => {
    assert.deepEqual(patchBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), [])
    assert.deepEqual(patchBetween({ a: 1, b: { c: 1, d: 2 } }, { b: { c: 1, d: 3 }, e: [] }), [
      { op: 'remove', path: '/a' },
      { op: 'replace', path: '/b/d', value: 3 },
      { op: 'add', path: '/e', value: [] },
    ])
  })

  test('names an element of a list only together with what stands there', () => {
    assert.deepEqual(patchBetween({ l: ['a', 'b', 'c'] }, { l: ['a', 'x', 'c'] }), [
      { op: 'test', path: '/l/1', value: 'b' },
      { op: 'replace', path: '/l/1', value: 'x' },
    ])
    assert.deepEqual(patchBetween({ l: ['a', 'b', 'c'] }, { l: ['c'] }), [
      { op: 'test', path: '/l/1', value: 'b' },
      { op: 'remove', path: '/l/1' },
      { op: 'test', path: '/l/0', value: 'a' },
      { op: 'remove', path: '/l/0' },
    ])
    assert.deepEqual(patchBetween({ l: ['a', 'c'] }, { l: ['a', 'b', 'c'] }), [
      { op: 'test', path: '/l/1', value: 'c' },
      { op: 'add', path: '/l/1', value: 'b' },
    ])
  })

  test('appends to a list wherever its end is by then', () => {
    const patch = patchBetween({ l: ['a'] }, { l: ['a', 'b'] })
    assert.deepEqual(patch, [{ op: 'add', path: '/l/-', value: 'b' }])
    assert.deepEqual(applied({ l: ['a', 'other'] }, patch), { l: ['a', 'other', 'b'] })
  })

  test('of a list that another step has changed meanwhile applies nowhere', () => {
    const patch = patchBetween({ l: ['a', 'b'] }, { l: ['a'] })
    assert.ok(Array.isArray(applied({ l: ['new', 'a', 'b'] }, patch)))
  })
})
