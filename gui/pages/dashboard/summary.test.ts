import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, weekOf } from './summary.ts'

const day = (succeeded_count: number, failed_count: number) => ({ date: '2026-11-27', succeeded_count, failed_count })

test('the week is the part of what succeeded, and never 100 % while something failed', () => {
  assert.equal(weekOf([day(0, 0), day(0, 0)]), undefined)
  assert.deepEqual(weekOf([day(3, 1), day(0, 0)]), { total: 4, percent: '75 %' })
  assert.deepEqual(weekOf([day(99_999, 1)]), { total: 100_000, percent: '99.9 %' })
  assert.deepEqual(weekOf([day(5, 0)]), { total: 5, percent: '100 %' })
})

test('bars are parts of the busiest day', () => {
  assert.deepEqual(barsOf([day(3, 1), day(1, 1), day(0, 0)]), [
    { succeeded: 0.75, failed: 0.25 },
    { succeeded: 0.25, failed: 0.25 },
    { succeeded: 0, failed: 0 },
  ])
})
