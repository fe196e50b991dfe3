import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextMatch, scrollMarks } from './next-match.ts'

const lines = [3, 10, 11, 40]

test('the next match is behind the line, the previous one before it', () => {
  assert.equal(nextMatch(lines, 10, 1), 2)
  assert.equal(nextMatch(lines, 10, -1), 0)
  assert.equal(nextMatch(lines, 12, 1), 3)
  assert.equal(nextMatch(lines, 12, -1), 2)
  assert.equal(nextMatch(lines, 0, 1), 0)
})

test('it wraps around at the ends', () => {
  assert.equal(nextMatch(lines, 40, 1), 0)
  assert.equal(nextMatch(lines, 3, -1), 3)
  assert.equal(nextMatch([], 3, 1), undefined)
  assert.equal(nextMatch([5], 5, 1), 0)
})

test('marks are few, however many lines match', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => i)
  assert.ok(scrollMarks(all, 10_000).length <= 201)
  assert.deepEqual(scrollMarks([0, 50], 100), [0, 0.5])
  assert.deepEqual(scrollMarks([1], 0), [])
})
