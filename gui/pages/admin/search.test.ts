import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAdminSearch } from './search.ts'

test('known parameters are kept, anything else is left out', () => {
  assert.deepEqual(readAdminSearch({ status: 'error', show: 'a-b', other: 1 }), { status: 'error', show: 'a-b' })
  assert.deepEqual(readAdminSearch({ status: 'done', show: '', view: 'form' }), {})
  assert.deepEqual(readAdminSearch({ view: 'text' }), { view: 'text' })
})
