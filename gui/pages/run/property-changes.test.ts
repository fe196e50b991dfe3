import assert from 'node:assert/strict'
import { test } from 'node:test'
import { propertyChanges } from './property-changes.ts'

test('only values that differ are listed, by their full names', () => {
  assert.deepEqual(
    propertyChanges(
      { web: { port: 80, workers: 4 }, old: 1, list: [1] },
      { web: { port: 443, workers: 4 }, list: [1, 2] },
    ),
    [
      { name: 'web.port', before: 80, after: 443 },
      { name: 'list', before: [1], after: [1, 2] },
      { name: 'old', before: 1, after: undefined },
    ],
  )
  assert.deepEqual(propertyChanges({ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }] } }), [])
})
