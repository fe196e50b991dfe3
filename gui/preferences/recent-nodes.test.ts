import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from './merge-patch.ts'
import { mergedVisits, mostRecent, newestOf, visitsIn, visitsPatch, withoutSaved } from './recent-nodes.ts'

const at = (minute: number): string => new Date(Date.UTC(2027, 0, 1, 10, minute)).toISOString()
const many = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`/projects/p${from + i}`, at(from + i)]))

test('only paths of nodes with a time are read from the preferences', () => {
  assert.deepEqual(visitsIn({ '/projects/a': at(1), '/admin': at(1), '/projects/b': 7, '/projects/c': 'x' }), {
    '/projects/a': at(1),
  })
  for (const other of [undefined, null, ['/projects/a'], 'a']) assert.deepEqual(visitsIn(other), {})
})

test('the newest visit of each node counts, whichever browser it was in', () => {
  const merged = mergedVisits(
    { '/projects/a': at(1), '/projects/b': at(5) },
    { '/projects/a': at(9), '/projects/b': at(2) },
  )
  assert.deepEqual(newestOf(merged), ['/projects/a', '/projects/b'])
})

test('a patch leaves the ten newest nodes', () => {
  const stored = many(0, 12)
  const own = { ...many(20, 23), '/projects/p11': at(30) }
  const after = visitsIn(mergePatch(stored, visitsPatch(stored, own)))
  assert.equal(Object.keys(after).length, mostRecent)
  assert.deepEqual(newestOf(after), newestOf(mergedVisits(stored, own)))
  assert.equal(newestOf(after)[0], '/projects/p11')
})

test('nothing is sent for what is stored already', () => {
  assert.deepEqual(visitsPatch(many(0, 3), many(0, 3)), {})
})

test('a node that is looked at again while its visit is being saved stays unsaved', () => {
  const saved = { '/projects/a': at(1), '/projects/b': at(2) }
  assert.deepEqual(withoutSaved({ ...saved, '/projects/a': at(3) }, saved), { '/projects/a': at(3) })
})
