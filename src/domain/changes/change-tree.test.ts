import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeTree } from './change-tree.ts'

const action = (name: string) => ({
  action: name,
  step_name: name,
  description: null,
  needs: [],
  run: 'true',
  interpreter: ['sh'],
  env: {},
  timeout_seconds: null,
  ignore_failure: false,
  run_as: 'sequential' as const,
  steps: [],
})

const treeOf = (name: string, approvals: readonly object[] = [], groupnames: readonly string[] = []) =>
  changeTree({
    catalogue: { actions: [action('deploy'), action('deploy_all')] } as never,
    action: name,
    settings: { requires_approval_from: approvals as never },
    createdBy: { username: 'ann', groupnames },
    skipSteps: [],
    startingStep: null,
    properties: async () => ({ owner: { team: ['bob', 'carl'], lead: 'dora' } }),
  })

const isApproval = ({ step_type }: { step_type: string }) => step_type === 'wait'
const everything = { change_filter: { actions: 'all' } }

test('an action is named to the letter, as the rules that allow or deny it are', async () => {
  assert.equal((await treeOf('deploy')).action, 'deploy')
  await assert.rejects(() => treeOf('Deploy'), /There is no action Deploy at this commit; did you mean deploy\?/)
})

test('a rule of approval names actions by globs, case ignored, and may speak of who made the change', async () => {
  const asked = async (actions: string | string[], more: object = {}) =>
    isApproval(await treeOf('deploy_all', [{ change_filter: { actions, ...more }, user_names: ['bob'] }]))
  assert.deepEqual(
    await Promise.all(['all', 'deploy*', 'DEPLOY_???', 'start, *_all', 'deploy', 'd*p'].map(each => asked(each))),
    [true, true, true, true, false, false],
  )
  assert.equal(await asked(['start', 'deploy_*'], { created_by: { user_names: ['carl'] } }), false)
  assert.equal(await asked(['start', 'deploy_*'], { created_by: { user_names: ['Ann'] } }), true)
})

test('a rule of approval may speak of the groups of who made the change, beside names', async () => {
  const asked = async (created_by: object, ...groupnames: string[]) =>
    isApproval(
      await treeOf('deploy', [{ change_filter: { actions: 'all', created_by }, user_names: ['bob'] }], groupnames),
    )
  assert.equal(await asked({ ldap_groups: ['operators'] }, 'all', 'Operators'), true)
  assert.equal(await asked({ ldap_groups: ['operators'] }, 'auditors'), false)
  assert.equal(await asked({ ldap_groups: ['operators'] }), false)
  assert.equal(await asked({ user_names: ['ann'], ldap_groups: ['operators'] }), true)
  assert.equal(await asked({ user_names: ['carl'], ldap_groups: ['operators'] }, 'operators'), true)
})

test('approvers are named by properties of the node: a text, or a list of texts', async () => {
  const names = async (...user_names: string[]) =>
    (await treeOf('deploy', [{ ...everything, user_names }])).requires_approval_from
  assert.deepEqual(await names('eve', '{{ owner.team }}', '{{owner.lead}}'), [
    { ...everything, user_names: ['eve', 'bob', 'carl', 'dora'] },
  ])
  await assert.rejects(() => names('{{ owner.nobody }}'), /named \{\{ owner.nobody \}\}, and the properties/)
  await assert.rejects(() => names('{{ owner }}'), /no name there/)
})

test('a rule that whoever makes the change satisfies alone is left out, by name or by a group', async () => {
  const asked = async (rule: object, ...groupnames: string[]) =>
    isApproval(await treeOf('deploy', [{ ...everything, ...rule }], groupnames))
  assert.equal(await asked({ user_names: ['Ann'], allow_self_approval: true }), false)
  assert.equal(await asked({ ldap_groups: ['ops'], allow_self_approval: true }, 'Ops'), false)
  assert.equal(await asked({ user_names: ['ann'] }), true)
  assert.equal(await asked({ user_names: ['ann', 'bob'], allow_self_approval: true, required_approvals: 2 }), true)
})
