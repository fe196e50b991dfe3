import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StepNodes, stepRows, withAncestors } from './step-rows.ts'

const children: Readonly<Record<string, readonly string[]>> = {
  rollout: ['check', 'prepare', 'verify'],
  prepare: ['back-up', 'fetch'],
}
const nodes: StepNodes = { roots: ['rollout'], childrenOf: id => children[id] ?? [] }
const all = () => true
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('rows are in reading order, with their level and place among their siblings', () => {
  const rows = stepRows(nodes, all)
  assert.deepEqual(ids(rows), ['rollout', 'check', 'prepare', 'back-up', 'fetch', 'verify'])
  assert.deepEqual(
    rows.map(({ level, position, setSize }) => [level, position, setSize]),
    [
      [1, 1, 1],
      [2, 1, 3],
      [2, 2, 3],
      [3, 1, 2],
      [3, 2, 2],
      [2, 3, 3],
    ],
  )
})

test('what is below a closed group is left out', () => {
  const rows = stepRows(nodes, id => id !== 'prepare')
  assert.deepEqual(ids(rows), ['rollout', 'check', 'prepare', 'verify'])
  assert.equal(rows[2]?.isExpanded, false)
  assert.equal(rows[1]?.isExpanded, undefined)
})

test('a filter keeps the steps above those that match, and counts only what is shown', () => {
  const shown = withAncestors(nodes, id => id === 'fetch')
  const rows = stepRows(nodes, all, id => shown.has(id))
  assert.deepEqual(ids(rows), ['rollout', 'prepare', 'fetch'])
  assert.deepEqual([rows[2]?.position, rows[2]?.setSize, rows[2]?.isExpanded], [1, 1, undefined])
})

test('a chain of 20,000 levels does not exhaust the stack', () => {
  const chain: StepNodes = { roots: ['0'], childrenOf: id => (Number(id) < 20_000 ? [String(Number(id) + 1)] : []) }
  assert.equal(stepRows(chain, all).length, 20_001)
  assert.equal(withAncestors(chain, id => id === '20000').size, 20_001)
})
