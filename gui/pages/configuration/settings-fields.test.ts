import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SettingsSchema, schemaOfLevel, settingFields } from './settings-fields.ts'

const schema = {
  properties: {
    mode: { enum: ['off', 'on'], default: 'off', description: 'Mode.', 'x-levels': ['global'] },
    limit: { type: 'integer', minimum: 0, maximum: 9, default: 5, 'x-levels': ['global', 'asset'] },
    sandbox: { type: 'boolean', 'x-levels': ['asset'], 'x-unheeded': 'Not yet.' },
    password: { type: 'string', writeOnly: true, 'x-levels': ['asset'] },
    hosts: { type: 'array', items: { type: 'string' }, 'x-levels': ['asset'] },
    rules: { type: 'array', items: { type: 'object' }, 'x-levels': ['asset'] },
    labels: { type: 'object', 'x-levels': ['asset'] },
  },
} as SettingsSchema

test('fields are the settings of the level with their kind and bounds', () => {
  assert.deepEqual(
    settingFields(schema, 'asset').map(({ name, kind, minimum, maximum, isSecret, note }) => [
      name,
      kind,
      minimum,
      maximum,
      isSecret,
      note,
    ]),
    [
      ['limit', 'number', 0, 9, false, undefined],
      ['sandbox', 'boolean', undefined, undefined, false, 'Not yet.'],
      ['password', 'text', undefined, undefined, true, undefined],
      ['hosts', 'lines', undefined, undefined, false, undefined],
      ['rules', 'document', undefined, undefined, false, undefined],
      ['labels', 'document', undefined, undefined, false, undefined],
    ],
  )
  assert.deepEqual(settingFields(schema, 'global')[0]?.options, ['off', 'on'])
})

test('the schema of a level has its settings alone', () => {
  assert.deepEqual(Object.keys(schemaOfLevel(schema, 'global').properties), ['mode', 'limit'])
})
