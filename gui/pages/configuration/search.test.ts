import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfigurationSearch } from './search.ts'

test('well-formed parameters are kept', () => {
  const search = {
    view: 'own',
    pointer: '/web/a~1b',
    at: '2026-11-24T13:03:00Z',
    filter: 'port',
    version: 3,
    against: 1,
  }
  assert.deepEqual(readConfigurationSearch(search), search)
  assert.deepEqual(readConfigurationSearch({ pointer: '', filter: 443 }), { pointer: '', filter: '443' })
})

test('malformed parameters are left out', () => {
  const search = { view: 'mine', pointer: 'web', at: 'yesterday', filter: '', version: 0, against: '1', tab: 'x' }
  assert.deepEqual(readConfigurationSearch(search), {})
  assert.deepEqual(readConfigurationSearch({ pointer: '/a~2' }), {})
})
