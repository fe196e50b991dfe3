import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeText } from './size.ts'

test('sizes are shown in the unit that keeps them short', () => {
  assert.deepEqual([0, 812, 1_000, 41_234_567, 412_345_678, 3.2e15].map(sizeText), [
    '0 bytes',
    '812 bytes',
    '1.0 KB',
    '41.2 MB',
    '412 MB',
    '3200 TB',
  ])
})
