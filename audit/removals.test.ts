import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reportedRemovals, type Stretch, stretchesOf, stretchesText, uncovered } from './removals.ts'

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
const telling = (removed_seals: string, more: object = {}) =>
  JSON.stringify({ type: 'info:data_cleanup:events', system: true, attributes: { removed_seals }, ...more })
const each = (stretches: readonly Stretch[]) =>
  stretches.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n))

test('what an event tells was removed is what was', () => {
  assert.equal(stretchesText([7, 1, 3, 2]), '1-3,7')
  fc.assert(
    fc.property(numbers, removed => {
      const sorted = removed.toSorted((a, b) => a - b)
      assert.deepEqual(each(reportedRemovals(telling(stretchesText(removed)))), sorted)
      assert.deepEqual(each(reportedRemovals(Buffer.from(telling(stretchesText(removed))))), sorted)
    }),
  )
})

test('nothing is told by what a user has recorded, by another event, or by one that cannot be read', () => {
  assert.deepEqual(reportedRemovals(telling('1-3', { system: false })), [])
  assert.deepEqual(
    reportedRemovals(telling('1-3', { type: 'info:data_cleanup:jobs', note: 'info:data_cleanup:events' })),
    [],
  )
  for (const text of ['', '1-', 'all', '1-2-3', '-1']) assert.deepEqual(reportedRemovals(telling(text)), [])
  assert.deepEqual(reportedRemovals('{"type":"info:data_cleanup:events"'), [])
})

test('what is told of in whatever pieces and order is told of, and nothing else', () => {
  fc.assert(
    fc.property(numbers, fc.array(numbers), (missing, explained) => {
      const known = new Set(explained.flat())
      const left = uncovered(
        stretchesOf(missing.toSorted((a, b) => a - b)),
        explained.flatMap(some => stretchesOf(some.toSorted((a, b) => a - b))),
      )
      const wanted = missing.filter(seq => !known.has(seq)).toSorted((a, b) => a - b)
      assert.deepEqual(each(left), wanted)
    }),
  )
})
