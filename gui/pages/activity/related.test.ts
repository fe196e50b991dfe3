import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionsIn, isEmptyDocument, relatedIds } from './related.ts'

test('a relationship names one record, several or none', () => {
  const relationships = {
    one: { data: { id: '1', type: 'change' } },
    many: {
      data: [
        { id: '2', type: 'change' },
        { id: '3', type: 'change' },
      ],
    },
    none: { data: null },
  }
  assert.deepEqual(
    ['one', 'many', 'none', 'other'].map(name => relatedIds({ relationships }, name)),
    [['1'], ['2', '3'], [], []],
  )
  assert.deepEqual(relatedIds({}, 'one'), [])
})

test('decisions and documents may be empty', () => {
  assert.deepEqual(decisionsIn(null), [])
  assert.deepEqual(decisionsIn([{ username: 'bob' }]), [{ username: 'bob' }])
  assert.deepEqual([{}, [], null, undefined, { a: 1 }, [1], 'x', 0].map(isEmptyDocument), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
