import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changedPointers as pointersOfService } from '#platform/documents/json-patch.ts'
import { changedPointers, changedValues, inBoth } from './changed-values.ts'

test('values that differ are named by pointer, with what they were and are', () => {
  const [before, after] = [
    { web: { port: 80, hosts: ['a'], 'a/b': 1 }, old: null, password: '{{hidden}}' },
    { web: { port: 81, hosts: ['a', 'b'], 'a/b': 1 }, new: {}, password: '{{hidden}}' },
  ]
  assert.deepEqual(changedPointers(before, after), ['/web/port', '/web/hosts', '/old', '/new'])
  const values = changedValues(before, after, ['/web/port', '/web/hosts', '/old', '/new', '/password', '/web/a~1b'])
  assert.deepEqual(
    values.map(({ pointer, kind, before, after, isHidden }) => [pointer, kind, before, after, isHidden]),
    [
      ['/web/port', 'changed', 80, 81, false],
      ['/web/hosts', 'changed', ['a'], ['a', 'b'], false],
      ['/old', 'removed', null, undefined, false],
      ['/new', 'added', undefined, {}, false],
      ['/password', 'changed', '{{hidden}}', '{{hidden}}', true],
      ['/web/a~1b', 'changed', 1, 1, true],
    ],
  )
  assert.deepEqual(values.at(-1)?.tokens, ['web', 'a/b'])
})

test('documents differ where the service says that they do', () => {
  const { object } = fc.letrec<{ object: object }>(tie => ({
    object: fc.dictionary(
      fc.constantFrom('a', 'b', '~/', ''),
      fc.oneof({ depthSize: 'small' }, fc.nat(2), fc.array(fc.nat(2)), tie('object')),
      { noNullPrototype: true },
    ),
  }))
  fc.assert(
    fc.property(object, object, (before, after) => {
      const expected = pointersOfService(before as never, after as never)
      assert.deepEqual(changedPointers(before, after).toSorted(), expected.toSorted())
    }),
  )
})

test('two changes concern each other if they are of the same value, or one of a part of the other', () => {
  assert.deepEqual([...inBoth(['/a/b', '/c', '/d', '/e/f'], ['/a', '/c/x', '/e/g', '/dd'])], ['/a/b', '/c'])
})
