import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalText } from './filters.ts'

test('a total says one or several, and that there are more where it was not counted to the end', () => {
  assert.equal(totalText(1, true, ['event', 'events']), '1 event')
  assert.equal(totalText(0, true, ['event', 'events']), '0 events')
  assert.equal(totalText(1_204, true, ['event', 'events']), '1,204 events')
  assert.equal(totalText(10_000, false, ['event', 'events']), '10,000+ events')
})
