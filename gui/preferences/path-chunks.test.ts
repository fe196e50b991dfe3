import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunksOf } from './path-chunks.ts'

test('paths are asked for in requests of a limited length, each once and in order', () => {
  const paths = Array.from({ length: 90 }, (_, i) => `/projects/bank/environments/live/assets/server-${i}`)
  const chunks = chunksOf(paths, 500)
  assert.ok(chunks.length > 1)
  assert.deepEqual(chunks.flat(), paths)
  for (const chunk of chunks) assert.ok(encodeURIComponent(chunk.join('')).length <= 500)
})

test('a path that is longer than a request should be is asked for alone', () => {
  assert.deepEqual(chunksOf(['/projects/a', `/projects/${'x'.repeat(99)}`, '/projects/b'], 40), [
    ['/projects/a'],
    [`/projects/${'x'.repeat(99)}`],
    ['/projects/b'],
  ])
  assert.deepEqual(chunksOf([]), [])
})
