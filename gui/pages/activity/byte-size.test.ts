import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteSize } from './byte-size.ts'

test('sizes have two significant digits at least', () => {
  assert.deepEqual([0, 820, 1_400, 38_000_000, 999_600, 5e15].map(byteSize), [
    '0 B',
    '820 B',
    '1.4 kB',
    '38 MB',
    '1.0 MB',
    '5000 TB',
  ])
})
