import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameState, queryOf, savedId, stateOf } from './view-state.ts'

const state = { status: ['error', 'aborted'], path: '42', mine: true, sort: '-finished_at', columns: 'action,user' }

test('a state survives as a query string', () => {
  const { status, ...others } = stateOf(queryOf(state)) as typeof state
  assert.deepEqual([...status].toSorted(), ['aborted', 'error'])
  const { status: _, ...expected } = state
  assert.deepEqual(others, expected)
  assert.equal(queryOf({}), '')
})

test('the order of parts and of several values is no difference', () => {
  const other = { columns: 'action,user', status: ['aborted', 'error'], sort: '-finished_at', mine: true, path: '42' }
  assert.equal(queryOf(other), queryOf(state))
  assert.equal(isSameState(other, state), true)
  assert.equal(isSameState({ ...state, mine: undefined }, state), false)
  assert.equal(isSameState({ ...state, columns: 'user,action' }, state), false)
})

test('a view without columns fits any columns', () => {
  const { columns: _, ...view } = state
  assert.equal(isSameState(state, view), true)
})

test('only an id is read from an address', () => {
  const id = '01932b7e-0000-7000-8000-000000000001'
  assert.equal(savedId(id), id)
  for (const other of ['x', 7, undefined, `${id}0`]) assert.equal(savedId(other), undefined)
})
