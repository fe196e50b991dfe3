import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workflowSchema } from '#authoring/workflows/workflow-schema.ts'
import { complete } from '../../components/editor/completion.ts'
import { nodeOffers } from './completion-words.ts'

test('the schema of workflows offers the keys of each place, with what they mean', () => {
  const offered = (marked: string) => {
    const pos = marked.indexOf('|')
    const context = { pos, explicit: true, state: { doc: marked.replace('|', '') } }
    return complete({ schema: workflowSchema() }, 'yaml', context)?.options ?? []
  }
  const labels = (marked: string) => offered(marked).map(({ label }) => label)
  assert.deepEqual(labels('|'), ['steps'])
  for (const key of ['type', 'target', 'seconds', 'version', 'children'])
    assert.ok(labels('steps:\n  - |').includes(key), key)
  assert.deepEqual(labels('steps:\n  - seconds: 3\n    |'), [
    'type',
    'name',
    'reset_on_retry',
    'requires_approval_from',
  ])
  assert.deepEqual(labels('steps:\n  - requires_approval_from:\n      u|'), [
    'user_names',
    'ldap_groups',
    'required_approvals',
  ])
  assert.deepEqual(labels('steps:\n  - children:\n      - target: a\n        run_as: p|'), ['sequential', 'parallel'])
  assert.deepEqual(labels('steps:\n  - type: |'), ['change', 'wait', 'workflow', 'stage'])
  const [seconds] = offered('steps:\n  - |').filter(({ label }) => label === 'seconds')
  assert.equal(seconds?.info, 'Seconds after which the wait ends by itself.')
})

test('nodes are offered by their path in the project', () => {
  const nodes = [
    { path: '/projects/bank', name: 'Bank' },
    { path: '/projects/bank/environments/live/assets/front', name: 'Front' },
    { path: '/projects/bank2/assets/other', name: 'Other' },
  ]
  assert.deepEqual(nodeOffers('bank', nodes), [
    { label: 'environments/live/assets/front', detail: 'Front', type: 'text' },
  ])
})
