import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitText } from './waits-for.ts'

const since = '2026-11-27T10:00:00Z'

test('an approval names the people who can give it', () => {
  const approvers = { user_names: ['bob'], ldap_groups: ['operators'] }
  const awaited = { kind: 'approval', by: 'Go live', since, approvers }
  assert.equal(waitText(awaited), 'waits for approval by bob, operators at the step Go live')
  assert.equal(waitText({ kind: 'approval', by: null, since }), 'waits for approval')
})

test('each kind of wait says who or what ends it', () => {
  assert.equal(waitText({ kind: 'paused', by: 'ann', since }), 'paused by ann')
  assert.equal(waitText({ kind: 'cancel', by: null, since }), 'ends, cancelled')
  assert.equal(waitText({ kind: 'slot', by: 'runner', since }), 'waits for a slot of the pool runner')
  assert.equal(waitText({ kind: 'step', by: 'fetch', since }), 'runs the step fetch')
  assert.equal(waitText({ kind: 'image_build', by: 'web', since }), 'waits: image build (web)')
  assert.equal(waitText(null), 'continues by itself')
})
