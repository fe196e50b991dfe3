import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChoosableColumn, chosenColumns, columnsIn, columnsText, isDefault, moved } from './column-choice.ts'

const all: readonly ChoosableColumn[] = [
  { id: 'status' },
  { id: 'action', isFixed: true },
  { id: 'user' },
  { id: 'error', isExtra: true },
]
const shown = (choice: readonly string[] | undefined) => chosenColumns(all, choice).map(({ id }) => id)

test('without a choice the default columns are shown', () => {
  assert.deepEqual(shown(undefined), ['status', 'action', 'user'])
  assert.deepEqual(shown([]), ['status', 'action', 'user'])
  assert.deepEqual(shown(['nonsense']), ['status', 'action', 'user'])
})

test('a choice shows its columns in its order, each once', () => {
  assert.deepEqual(shown(['error', 'action', 'error', 'status']), ['error', 'action', 'status'])
})

test('the column with the link of the row is never left out', () => {
  assert.deepEqual(shown(['user']), ['action', 'user'])
})

test('only names are read from an address and from preferences', () => {
  assert.equal(columnsText('status,action'), 'status,action')
  for (const other of ['', ',', 'a b', '<x>', 7, ['a'], undefined]) assert.equal(columnsText(other), undefined)
  assert.deepEqual(columnsIn(['a', 'b']), ['a', 'b'])
  for (const other of ['a', [1], { a: 1 }, null]) assert.equal(columnsIn(other), undefined)
})

test('the default in another order is a choice', () => {
  assert.equal(isDefault(all, ['status', 'action', 'user']), true)
  assert.equal(isDefault(all, ['action', 'status', 'user']), false)
})

test('a column moves up and down, and not beyond the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b'])
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c'])
  assert.deepEqual(moved(['a', 'b', 'c'], 0, -1), ['a', 'b', 'c'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'b', 'c'])
})
