import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, elapsed } from './format.ts'

test('a duration has two units at most', () => {
  assert.deepEqual([617, 4_810, 9_960, 59_400, 124_000, 11_520_000, 187_200_000].map(duration), [
    '617 ms',
    '4.8 s',
    '10 s',
    '59 s',
    '2 min 4 s',
    '3 h 12 min',
    '2 d 4 h',
  ])
})

test('what has not ended has lasted whole seconds, also by a clock that is behind', () => {
  assert.deepEqual([-3_000, 0, 999, 1_000, 59_999, 124_900].map(elapsed), [
    '0 s',
    '0 s',
    '0 s',
    '1 s',
    '59 s',
    '2 min 4 s',
  ])
})
