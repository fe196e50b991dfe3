import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathRows } from './path-rows.ts'

const rowsOf = (...paths: string[]) =>
  pathRows(paths.map(path => ({ path }))).map(({ path, text, depth, rules }) => [path, text, depth, rules.length])

test('rules are a tree of their paths, in which what has no rule and leads to one place only is no row', () => {
  assert.deepEqual(
    rowsOf('/projects/bank/environments/live', '/projects/bank', '/', '/projects/shop', '/projects/bank'),
    [
      ['/', '/', 0, 1],
      ['/projects', 'projects', 1, 0],
      ['/projects/bank', 'bank', 2, 2],
      ['/projects/bank/environments/live', 'environments/live', 3, 1],
      ['/projects/shop', 'shop', 2, 1],
    ],
  )
  assert.deepEqual(rowsOf('/projects/bank', '/admin'), [
    ['/admin', '/admin', 0, 1],
    ['/projects/bank', '/projects/bank', 0, 1],
  ])
  assert.deepEqual(rowsOf('/projects/bank'), [['/projects/bank', '/projects/bank', 0, 1]])
  assert.deepEqual(rowsOf(), [])
})
