import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromLocalField, toLocalField } from './local-time.ts'

test('a time goes to the field in the zone of the user and back', () => {
  const at = '2026-11-24T13:03:00.000Z'
  const field = toLocalField(at)
  assert.match(field, /^2026-11-2[345]T\d\d:\d\d$/)
  assert.equal(fromLocalField(field), at)
})

test('an empty or incomplete field is no time', () => {
  assert.equal(toLocalField(undefined), '')
  assert.equal(fromLocalField(''), undefined)
  assert.equal(fromLocalField('no time'), undefined)
})
