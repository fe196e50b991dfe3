import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Branch, treeMove, treeRows } from './tree-rows.ts'

const branch = (id: string, ...children: Branch<string>[]): Branch<string> => ({ id, item: id, children })
const tree = [branch('a', branch('a1'), branch('a2', branch('a2x'))), branch('b')]
const rowsWith = (...expanded: string[]) => treeRows(tree, ({ id }) => expanded.includes(id))
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

test('only what is below expanded branches has a row, with its place among its siblings', () => {
  assert.deepEqual(ids(rowsWith()), ['a', 'b'])
  const rows = rowsWith('a', 'a2')
  assert.deepEqual(ids(rows), ['a', 'a1', 'a2', 'a2x', 'b'])
  const { level, position, setSize, isExpanded, parent } = rows[2]!
  assert.deepEqual(
    { level, position, setSize, isExpanded, parent },
    {
      level: 2,
      position: 2,
      setSize: 2,
      isExpanded: true,
      parent: 'a',
    },
  )
  assert.equal(rows[1]!.isExpanded, undefined)
})

test('arrows move between rows and stay within them', () => {
  const rows = rowsWith('a')
  assert.deepEqual(treeMove('ArrowDown', rows, 0, 10), { active: 1 })
  assert.deepEqual(treeMove('ArrowUp', rows, 0, 10), { active: 0 })
  assert.deepEqual(treeMove('PageDown', rows, 1, 10), { active: 3 })
  assert.deepEqual(treeMove('PageUp', rows, 2, 10), { active: 0 })
  assert.deepEqual(treeMove('PageDown', rows, 0, 2), { active: 2 })
  assert.deepEqual(treeMove('PageUp', rows, 3, 2), { active: 1 })
  assert.deepEqual(treeMove('End', rows, 0, 10), { active: 3 })
  assert.deepEqual(treeMove('Home', rows, 2, 10), { active: 0 })
  assert.equal(treeMove('x', rows, 0, 10), undefined)
})

test('the right arrow opens and then enters a branch, the left one closes it and then goes to its parent', () => {
  assert.deepEqual(treeMove('ArrowRight', rowsWith(), 0, 10), { toggle: 0 })
  assert.deepEqual(treeMove('ArrowRight', rowsWith('a'), 0, 10), { active: 1 })
  assert.deepEqual(treeMove('ArrowLeft', rowsWith('a'), 0, 10), { toggle: 0 })
  assert.deepEqual(treeMove('ArrowLeft', rowsWith('a'), 2, 10), { active: 0 })
  assert.equal(treeMove('ArrowRight', rowsWith(), 1, 10), undefined)
  assert.equal(treeMove('ArrowLeft', rowsWith(), 1, 10), undefined)
})

test('without an active row the first key goes to the first row', () => {
  for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End'])
    assert.deepEqual(treeMove(key, rowsWith(), -1, 10), { active: 0 }, key)
  assert.equal(treeMove('PageDown', rowsWith(), -1, 10), undefined)
  assert.equal(treeMove('ArrowDown', [], -1, 10), undefined)
})
