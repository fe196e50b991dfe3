import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '#client/sluice.ts'
import { formFaults } from './faults.ts'

const refused = new Refused('POST', '/api/steps/1/continue', 422, [
  { code: 'required', detail: 'version is required.', source: { pointer: '/data/attributes/input_arguments/version' } },
  { code: 'too-long', title: 'Too long', source: { pointer: '/data/attributes/message' } },
])

test('a fault is shown at the field that its pointer names', () => {
  const { at } = formFaults(refused)
  assert.equal(at('/data/attributes/input_arguments/version'), 'version is required.')
  assert.equal(at('/data/attributes/message'), 'Too long')
  assert.equal(at('/data/attributes/other'), undefined)
})

test('faults of no field of the form are left for the form', () => {
  const { hasOthers } = formFaults(refused)
  assert.equal(hasOthers(['/data/attributes/message', '/data/attributes/input_arguments/version']), false)
  assert.equal(hasOthers(['/data/attributes/message']), true)
  assert.equal(formFaults(new Error('lost')).hasOthers([]), true)
  assert.equal(formFaults(null).hasOthers([]), false)
})
