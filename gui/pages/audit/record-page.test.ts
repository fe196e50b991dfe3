import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LinkedEvent, recordPage } from './record-page.ts'

const pageOf = (source_type: string, more: object = {}, relationships: LinkedEvent['relationships'] = {}) =>
  recordPage({ attributes: { source_type, source_id: 'id', node_path: '/projects/bank', ...more }, relationships })

const at = (type: string, more: object = {}) => pageOf(type, more)?.to

test('the record of an event leads to its page, where there is one', () => {
  assert.equal(at('project'), '/projects/bank')
  assert.equal(at('properties'), '/projects/bank')
  assert.equal(at('settings', { node_path: null }), undefined)
  assert.equal(at('change'), '/activities/id')
  assert.equal(at('authorisation_policy'), '/access/policies/id')
  assert.equal(at('policy_assignment', { authorisation_policy_id: 'p' }), '/access/policies/p')
  assert.equal(at('user', { name: 'ann b' }), '/access/users/ann%20b')
  assert.equal(at('template_version', { template_code: 'web', name: '1.0' }), '/templates/bank/web/1.0')
  assert.equal(at('template_version', { template_code: 'web' }), '/templates/bank/web')
  assert.equal(at('workflow', { workflow_code: 'release' }), '/workflows/bank/release')
  assert.equal(at('workflow'), undefined)
  assert.equal(at('key_rotation'), undefined)
})

test('the event of a Git remote leads to it in the tab of its project', () => {
  assert.deepEqual(pageOf('git_remote', { name: 'code' }), {
    to: '/projects/bank',
    search: { tab: 'remotes', remote: 'code' },
  })
  assert.equal(pageOf('git_remote'), undefined)
})

test('the event of a step leads to the step in its activity', () => {
  const activity = (type: string) => ({ activity: { data: { type, id: 'a' } } })
  assert.deepEqual(pageOf('step', {}, activity('change')), { to: '/activities/a', search: { step: 'id' } })
  assert.deepEqual(pageOf('workflow_step', {}, activity('workflow_run')), {
    to: '/activities/a',
    search: { step: 'id' },
  })
  assert.equal(pageOf('step'), undefined)
})
