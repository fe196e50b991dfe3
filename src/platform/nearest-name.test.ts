import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearestTo } from './nearest-name.ts'

test('of the known names the first of those with the fewest letters changed is suggested, if they are few', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'c', '-'), maxLength: 12 })
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (wanted, known) => {
      const [best] = known
        .map(each => ({ each, letters: distance(wanted.toLowerCase(), each.toLowerCase()) }))
        .toSorted((one, other) => one.letters - other.letters)
      const isNear = best !== undefined && best.letters <= Math.max(2, Math.floor(wanted.length / 3))
      assert.equal(nearestTo(wanted, known), isNear ? best.each : undefined)
    }),
    { numRuns: 2_000 },
  )
})

test('however long the names and however many, no more is looked at than may be', () => {
  const search = { left: 1_000 }
  assert.equal(nearestTo('deplyo', ['deploy'], search), 'deploy')
  assert.ok(search.left < 1_000, 'what was looked at counts')
  const long = 'step '.repeat(2_000)
  assert.equal(nearestTo(`${long}!`, [long, 'deploy'], search), undefined)
  assert.equal(nearestTo('deplyo', ['deploy'], search), undefined, 'and for all names together')
  assert.equal(nearestTo(`${long}!`, [long]), undefined)
})

test('names that differ in length by more than may be wrong cost nothing', () => {
  const search = { left: 1_000 }
  assert.equal(nearestTo('x'.repeat(1_000_000), ['deploy', 'stop'], search), undefined)
  assert.equal(search.left, 1_000)
})

/** The Levenshtein distance by its definition. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return Math.max(a.length, b.length)
  const replaced = distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1)
  return a[0] === b[0] ? replaced : Math.min(replaced, distance(a.slice(1), b) + 1, distance(a, b.slice(1)) + 1)
}
