import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inversePatch, mergePatch } from './merge-patch.ts'

const before = { theme: 'dark', starred_nodes: { '/projects/bank': true, '/projects/shop': true } }

test('a patch changes what it names, and null removes a member', () => {
  assert.deepEqual(
    mergePatch(before, { theme: null, starred_nodes: { '/projects/shop': null, '/projects/new': true } }),
    {
      starred_nodes: { '/projects/bank': true, '/projects/new': true },
    },
  )
  assert.deepEqual(mergePatch({}, { columns: { activities: ['status'] }, gone: null }), {
    columns: { activities: ['status'] },
  })
  assert.deepEqual(mergePatch({ columns: 7 }, { columns: { activities: null } }), { columns: {} })
})

test('the inverse of a patch takes it back, and nothing that was changed besides', () => {
  const patch = { theme: 'light', density: 'compact', starred_nodes: { '/projects/shop': null, '/projects/new': true } }
  const inverse = inversePatch(before, patch)
  assert.deepEqual(mergePatch(mergePatch(before, patch), inverse), before)
  const meanwhile = { starred_nodes: { '/projects/other': true } }
  assert.deepEqual(mergePatch(mergePatch(mergePatch(before, patch), meanwhile), inverse), mergePatch(before, meanwhile))
})
