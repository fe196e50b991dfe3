import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeOf } from './selected.ts'

test('a range has both of its ends, in either direction', () => {
  const keys = ['a', 'b', 'c', 'd']
  assert.deepEqual(rangeOf(keys, 1, 3), ['b', 'c', 'd'])
  assert.deepEqual(rangeOf(keys, 2, 0), ['a', 'b', 'c'])
  assert.deepEqual(rangeOf(keys, 1, 1), ['b'])
})
