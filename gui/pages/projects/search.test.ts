import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptSearch, readNodeSearch, readTreeSearch } from './search.ts'

test('what is no filter of the tree is left out', () => {
  assert.deepEqual(readTreeSearch({ find: 'front', archived: true, other: 1 }), { find: 'front', archived: true })
  assert.deepEqual(readTreeSearch({ find: 12 }), { find: '12' })
  assert.deepEqual(readTreeSearch({ find: '', archived: 'yes', create: 'user' }), {})
  assert.deepEqual(readTreeSearch({ create: 'asset' }), { create: 'asset' })
})

test('the sorting of the activities belongs to their tab', () => {
  const sorted = { tab: 'activities', sort: 'created_at' }
  assert.deepEqual(readNodeSearch(sorted), sorted)
  assert.deepEqual(readNodeSearch({ tab: 'activities', sort: '-created_at' }), { tab: 'activities' })
  assert.deepEqual(readNodeSearch({ tab: 'activities', sort: 'name' }), { tab: 'activities' })
  assert.deepEqual(readNodeSearch({ tab: 'actions', sort: 'created_at' }), { tab: 'actions' })
})

const readNode = (search: Record<string, unknown>) => ({ ...readTreeSearch(search), ...readNodeSearch(search) })

test('an empty action opens the run dialog to choose one', () => {
  assert.deepEqual(readNodeSearch({ run: '' }), { run: '' })
  assert.deepEqual(readNodeSearch({ run: 'rollout', tab: 'actions' }), { run: 'rollout', tab: 'actions' })
  assert.deepEqual(readNodeSearch({ run: {}, tab: ['x'] }), {})
  assert.deepEqual(readNodeSearch({ tab: 'properties', pointer: '/a' }), { tab: 'properties', pointer: '/a' })
})

test('another node keeps the filter and the tab, and closes the run dialog', () => {
  assert.deepEqual(keptSearch(readNode({ find: 'a', tab: 'actions', run: 'rollout', view: 'own' })), {
    find: 'a',
    tab: 'actions',
  })
})
