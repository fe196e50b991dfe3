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
  })

test('an action is named to the letter, as the rules that allow or deny it are', () => {
  assert.equal(treeOf('deploy').action, 'deploy')
  assert.throws(() => treeOf('Deploy'), /There is no action Deploy at this commit; did you mean deploy\?/)
})

test('a rule of approval names actions by globs, case ignored, and may speak of who made the change', () => {
  const asked = (actions: string | string[], more: object = {}) =>
    treeOf('deploy_all', [{ change_filter: { actions, ...more }, user_names: ['bob'] }]).step_type === 'wait'
  assert.deepEqual(
    ['all', 'deploy*', 'DEPLOY_???', 'start, *_all', 'deploy', 'd*p'].map(each => asked(each)),
    [true, true, true, true, false, false],
  )
  assert.equal(asked(['start', 'deploy_*'], { created_by: { user_names: ['carl'] } }), false)
  assert.equal(asked(['start', 'deploy_*'], { created_by: { user_names: ['Ann'] } }), true)
})

test('a rule of approval may speak of the groups of who made the change, beside names', () => {
  const asked = (created_by: object, ...groupnames: string[]) =>
    treeOf('deploy', [{ change_filter: { actions: 'all', created_by }, user_names: ['bob'] }], groupnames).step_type ===
    'wait'
  assert.equal(asked({ ldap_groups: ['operators'] }, 'all', 'Operators'), true)
  assert.equal(asked({ ldap_groups: ['operators'] }, 'auditors'), false)
  assert.equal(asked({ ldap_groups: ['operators'] }), false)
  assert.equal(asked({ user_names: ['ann'], ldap_groups: ['operators'] }), true)
  assert.equal(asked({ user_names: ['carl'], ldap_groups: ['operators'] }, 'operators'), true)
})
