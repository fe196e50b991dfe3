import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { distinctNames, orderOf, treeRows } from './step-rows.ts'

test('a tree becomes rows in reading order, each with its path and what hangs under it', () => {
  const rows = treeRows([stage('release', [step('build', { children: [step('unit/tests')] }), wait('settle')])])
  assert.deepEqual(
    rows.map(({ parent, position, full_path, body, children }) => [parent, position, full_path, body, children]),
    [
      [null, 0, 'release', 'none', 2],
      [0, 0, 'release/build', 'open', 1],
      [1, 0, 'release/build/unit_tests', 'open', 0],
      [0, 1, 'release/settle', 'open', 0],
    ],
  )
})

test('siblings of one name are numbered, case ignored, past numbers that are names themselves', () => {
  assert.deepEqual(distinctNames(['a', 'b', 'A', 'a-1', 'a']), ['a-2', 'b', 'A-3', 'a-1', 'a-4'])
  assert.deepEqual(distinctNames(['new', 'other'], ['NEW', 'old']), ['new-1', 'other'])
})

test('distinct names are distinct, whatever the names', () => {
  const name = fc.stringMatching(/^[aAbB](-[12])?(\/[12])?$/)
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), fc.uniqueArray(name, { maxLength: 3 }), (names, taken) => {
      const all = [...distinctNames(names, taken), ...taken].map(each => each.toLowerCase())
      const given = new Set(taken.map(each => each.toLowerCase()))
      assert.equal(new Set(all).size, names.length + given.size)
    }),
  )
})

test('the order text sorts bytewise as a person reads the tree', () => {
  const positions = [0, 1, 9, 10, 35, 36, 1295, 1296, 50_000]
  const texts = positions.flatMap(position => [orderOf(position), orderOf(position) + orderOf(46_655)])
  assert.deepEqual(texts.toSorted(), texts)
})
