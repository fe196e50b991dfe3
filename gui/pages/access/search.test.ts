import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccessSearch } from './search.ts'

test('only known views and rights are read from an address', () => {
  assert.deepEqual(readAccessSearch({ view: 'users', find: ' an ', right: 'see', x: 1 }), { view: 'users', find: 'an' })
  assert.deepEqual(readAccessSearch({ view: 'policies', user: 42, path: '/projects/bank', right: 'update' }), {
    user: '42',
    path: '/projects/bank',
    right: 'update',
  })
})
