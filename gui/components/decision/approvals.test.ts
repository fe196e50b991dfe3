import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalProgress } from './approvals.ts'

test('approvals are counted for each rule that they count for', () => {
  const rules = [{ user_names: ['bob'], required_approvals: 2 }, { ldap_groups: ['release-managers'] }]
  const approvals = [{ username: 'bob', at: '2026-11-27T10:00:00Z', rules: [0] }]
  assert.deepEqual(approvalProgress(rules, approvals), [
    { given: 1, required: 2, users: ['bob'], groups: [] },
    { given: 0, required: 1, users: [], groups: ['release-managers'] },
  ])
})

test('a step without rules has no progress', () => {
  assert.deepEqual(approvalProgress([], []), [])
  assert.deepEqual(approvalProgress(null, null), [])
})
