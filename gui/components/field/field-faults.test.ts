import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '#client/sluice.ts'
import { fieldFaults } from './field-faults.ts'

const refused = (...faults: ConstructorParameters<typeof Refused>[3]) =>
  new Refused('POST', '/api/projects', 422, faults)

test('faults go to the fields that they name, also to those within an attribute', () => {
  const error = refused(
    { detail: 'taken', source: { pointer: '/data/attributes/code' } },
    { detail: 'too long', source: { pointer: '/data/attributes/code' } },
    { detail: 'no number', source: { pointer: '/data/attributes/metadata/a' } },
    { title: 'Not permitted' },
  )
  assert.deepEqual(fieldFaults(error, ['code', 'metadata']), {
    fields: { code: 'taken too long', metadata: 'no number' },
    other: 'Not permitted',
  })
})

test('a fault of an attribute without a field is shown beside the form', () => {
  const error = refused({ detail: 'unknown', source: { pointer: '/data/attributes/nme' } })
  assert.deepEqual(fieldFaults(error, ['name']), { fields: {}, other: 'unknown' })
})

test('an error of the connection concerns no field, and no error is none', () => {
  assert.deepEqual(fieldFaults(new Error('lost'), ['name']), { fields: {}, other: 'lost' })
  assert.deepEqual(fieldFaults(null, ['name']), { fields: {}, other: undefined })
})

test('a fault is shown at the place within an attribute that its pointer names, by its title without a detail', () => {
  const error = refused(
    {
      code: 'required',
      detail: 'version is required.',
      source: { pointer: '/data/attributes/input_arguments/version' },
    },
    { code: 'too-long', title: 'Too long', source: { pointer: '/data/attributes/message' } },
  )
  assert.deepEqual(fieldFaults(error, ['input_arguments/version', 'message']), {
    fields: { 'input_arguments/version': 'version is required.', message: 'Too long' },
    other: undefined,
  })
  assert.equal(fieldFaults(error, ['input_arguments/version']).fields['other'], undefined)
  assert.equal(fieldFaults(error, ['message']).other, 'version is required.')
})

test('a failure of the service has its id, which finds it in the log', () => {
  const error = new Refused('POST', '/api/projects', 500, [{ title: 'Internal error', id: '7f3' }])
  assert.deepEqual(fieldFaults(error, []), { fields: {}, other: 'Internal error (Error 7f3)' })
})
