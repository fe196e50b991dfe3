import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSame } from './changed-values.ts'
import type { Data } from './data.ts'
import { mergedDocument } from './three-way.ts'

test('changes of both are kept, and of one value that both changed, mine', () => {
  const base = { a: 1, b: { c: 1, d: 1 }, list: [1, 2], gone: 1, kept: 1 }
  const theirs = { a: 1, b: { c: 2, d: 2, e: 1 }, list: [1, 2, 3], kept: 2 }
  const mine = { a: 2, b: { c: 1, d: 3 }, list: [1, 2], gone: 1, mine: true }
  assert.deepEqual(mergedDocument(base, theirs, mine), {
    a: 2,
    b: { c: 2, d: 3, e: 1 },
    list: [1, 2, 3],
    mine: true,
  })
  assert.deepEqual(mergedDocument({ a: 1 }, { a: 2 }, {}), {})
  assert.deepEqual(mergedDocument({ a: 1 }, {}, { a: 2 }), { a: 2 })
  assert.deepEqual(mergedDocument({}, { a: { b: 1 } }, { a: { c: 2 } }), { a: { b: 1, c: 2 } })
})

const document = fc.letrec<{ object: Data }>(tie => ({
  object: fc.dictionary(
    fc.constantFrom('a', 'b', 'c', '__proto__'),
    fc.oneof({ depthSize: 'small' }, fc.integer({ max: 3 }), fc.constant(null), fc.array(fc.nat(2)), tie('object')),
    { noNullPrototype: true },
  ),
})).object

test('a document that one side alone changed is that side’s, and so is one that both changed alike', () => {
  fc.assert(
    fc.property(document, document, (base, changed) => {
      assert.ok(isSame(mergedDocument(base, changed, base), changed))
      assert.ok(isSame(mergedDocument(base, base, changed), changed))
      assert.ok(isSame(mergedDocument(base, changed, changed), changed))
    }),
  )
})
