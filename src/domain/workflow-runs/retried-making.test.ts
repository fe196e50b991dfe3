import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RetriedMaking, retriedMaking } from './retried-making.ts'
import type { Making } from './run-tree.ts'

const making: Making = {
  targets: ['/projects/shop/assets/front'],
  action: 'deploy',
  template_version: null,
  git_remote_name: null,
  git_rev: null,
  start_time: null,
  workflow: null,
  version: null,
  property_overrides: { ok: 'no' },
}
const before: RetriedMaking = { ...making, retries: 'a change' }

test('a step of a retry tries again what the step before it made, with the same values', () => {
  assert.deepEqual(retriedMaking(making, before), before)
})

test('with other overrides it tries again with these, and so does a retry of that which had not come so far', () => {
  const other = { ...making, property_overrides: { ok: 'yes' } }
  const again = retriedMaking(other, before)
  assert.deepEqual([again.retries, again.retry_overrides], ['a change', { ok: 'yes' }])
  assert.deepEqual(retriedMaking(other, again), again)
  assert.deepEqual(retriedMaking(making, again).retry_overrides, { ok: 'no' })
})

test('what comes from elsewhere, or is there for something else, is made anew', () => {
  for (const other of [
    { action: 'restart' },
    { targets: ['/projects/shop/assets/back'] },
    { template_version: '2.0' },
    { git_rev: 'main' },
    { workflow: 'inner' },
  ])
    assert.equal(retriedMaking({ ...making, ...other }, before).retries, null, JSON.stringify(other))
  assert.deepEqual(retriedMaking(making, null), { ...making, retries: null })
})

test('a start time that is another than that of what it tries again is its own', () => {
  const [two, three] = ['02:00', '03:00'].map(start_time => ({ ...making, start_time }))
  assert.equal(retriedMaking(two!, { ...two!, retries: 'a change' }).retry_starts_anew, undefined)
  const again = retriedMaking(three!, { ...two!, retries: 'a change' })
  assert.deepEqual([again.start_time, again.retry_starts_anew], ['03:00', true])
  assert.equal(retriedMaking(three!, again).retry_starts_anew, true, 'where it had not come so far')
})
