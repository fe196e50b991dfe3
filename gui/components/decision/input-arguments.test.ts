import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentFields, givenArguments, type InputArgument } from './input-arguments.ts'

const argument = (more: Partial<InputArgument> & { name: string }): InputArgument => ({
  type: 'string',
  required: false,
  sensitive: false,
  path: '',
  ...more,
})

test('a step that asks for nothing has no fields', () => {
  assert.deepEqual(argumentFields(null), [])
  assert.deepEqual(argumentFields([]), [])
})

test('fields begin with the defaults', () => {
  const fields = argumentFields([
    argument({ name: 'where', valid_values: ['here', 'there'], default_value: 'here' }),
    argument({ name: 'count', type: 'integer', default_value: 3 }),
    argument({ name: 'labels', type: 'array', default_value: ['a'] }),
    argument({ name: 'sure', type: 'boolean', default_value: false }),
  ])
  assert.deepEqual(
    fields.map(({ initial }) => initial),
    ['"here"', '3', '["a"]', 'false'],
  )
  assert.deepEqual(
    fields.map(({ choices }) => choices),
    [['"here"', '"there"'], undefined, undefined, ['true', 'false']],
  )
})

test('choices are sent with their type, texts as they are, empty fields not at all', () => {
  const fields = argumentFields([
    argument({ name: 'size', type: 'integer', valid_values: [1, 2] }),
    argument({ name: 'count', type: 'integer' }),
    argument({ name: 'note' }),
  ])
  assert.deepEqual(givenArguments(fields, { size: '2', count: '17' }), { size: 2, count: '17' })
})

test('a hidden default is neither shown nor sent', () => {
  const fields = argumentFields([
    argument({ name: 'password', sensitive: true, default_value: '{{hidden}}', valid_values: '{{hidden}}' as never }),
  ])
  assert.equal(fields[0]?.initial, '')
  assert.equal(fields[0]?.choices, undefined)
  assert.deepEqual(givenArguments(fields, {}), {})
})

test('two arguments of one name are told apart by their paths', () => {
  const [first, second] = argumentFields([
    argument({ name: 'version', path: '/release' }),
    argument({ name: 'version', path: '/schema' }),
  ])
  assert.equal(first?.key, '/release/version')
  assert.equal(second?.pointer, '/data/attributes/input_arguments/~1schema~1version')
})
