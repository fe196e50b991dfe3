import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebased, settingErrors } from './settings-draft.ts'

test('a draft on another version keeps what it set and removed, and takes the rest of that version', () => {
  const base = { a: 1, b: 2, c: [3] }
  const draft = { a: 10, c: [3], d: 4 }
  const theirs = { a: 7, b: 8, c: [9], e: 5 }
  assert.deepEqual(rebased(draft, base, theirs), { a: 10, c: [9], d: 4, e: 5 })
  assert.deepEqual(rebased(base, base, theirs), theirs)
})

test('errors are found by the setting that they concern', () => {
  const errors = settingErrors([
    { source: { pointer: '/data/attributes/data/runner.kind' }, detail: 'Unknown kind.' },
    { source: { pointer: '/data/attributes/data/runner.kind/0' }, detail: 'Again.' },
    { source: { pointer: '/data/attributes' }, detail: 'Elsewhere.' },
    { detail: 'Nowhere.' },
  ])
  assert.deepEqual(errors, { 'runner.kind': 'Unknown kind. Again.' })
})
