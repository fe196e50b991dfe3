import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalBy, type Decider, lacking, rejectionBy, satisfiedAlone } from './approvals.ts'

const ada: Decider = { userId: 'a', username: 'ada', groupnames: ['Release Managers'], isProgram: false }
const asked = (rules: object[], more: object = {}) => ({ rules, approvals: [], creatorId: 'c', ...more })

test('whoever a rule names approves, by name or by a group of the directory, without regard to case', () => {
  const rules = [{ user_names: ['Bob'] }, { user_names: ['ADA'] }, { ldap_groups: ['release managers'] }]
  assert.deepEqual(approvalBy(ada, asked(rules)), { counts: [1, 2] })
  assert.deepEqual(rejectionBy(ada, asked(rules)), { counts: [1, 2] })
})

test('of other letters than A to Z the case counts, as it does among the names of users', () => {
  const rules = [{ user_names: ['\u00c9mile'] }]
  const named = (username: string) => 'counts' in approvalBy({ ...ada, username }, asked(rules))
  assert.deepEqual(['\u00c9MILE', 'E\u0301mile', '\u00e9mile'].map(named), [true, true, false])
})

test('who is named by no rule neither approves nor rejects', () => {
  const rules = [{ user_names: ['bob'], ldap_groups: ['operators'] }]
  assert.deepEqual(approvalBy(ada, asked(rules)), { refused: 'not_named' })
  assert.deepEqual(rejectionBy(ada, asked(rules)), { refused: 'not_named' })
})

test('the token of a step approves nothing, whoever it acts for', () => {
  const program = { ...ada, isProgram: true }
  assert.deepEqual(approvalBy(program, asked([{ user_names: ['ada'] }])), { refused: 'program' })
  assert.deepEqual(rejectionBy(program, asked([{ user_names: ['ada'] }])), { refused: 'program' })
})

test('the approval of who made it counts for the rules that say so, and for no other', () => {
  const rules = [{ user_names: ['ada'] }, { user_names: ['ada'], required_approvals: 2, allow_self_approval: true }]
  assert.deepEqual(approvalBy(ada, asked(rules, { creatorId: 'a' })), { counts: [1] })
  assert.deepEqual(approvalBy(ada, asked(rules.slice(0, 1), { creatorId: 'a' })), { refused: 'creator' })
  assert.deepEqual(rejectionBy(ada, asked(rules.slice(0, 1))), { counts: [0] })
})

test('one person approves once', () => {
  const approvals = [{ username: 'Ada', rules: [0] }]
  assert.deepEqual(approvalBy(ada, asked([{ user_names: ['ada'], required_approvals: 2 }], { approvals })), {
    refused: 'already',
  })
})

test('each rule lacks as many approvals as count for it, one unless it says more', () => {
  const rules = [{ user_names: ['ada', 'bob'] }, { user_names: ['bob', 'eve'], required_approvals: 2 }]
  const by = (username: string, ...rules: number[]) => ({ username, rules })
  assert.deepEqual(lacking({ rules, approvals: [] }), [1, 2])
  assert.deepEqual(lacking({ rules, approvals: [by('bob', 0, 1)] }), [0, 1])
  assert.deepEqual(lacking({ rules, approvals: [by('bob', 0, 1), by('ada', 0), by('eve', 1)] }), [0, 0])
})

test('a rule that its maker satisfies alone is told from one that takes somebody else', () => {
  const rule = { user_names: ['ada'], allow_self_approval: true }
  assert.equal(satisfiedAlone(rule, ada), true)
  assert.equal(satisfiedAlone({ ...rule, required_approvals: 2 }, ada), false)
  assert.equal(satisfiedAlone({ ...rule, allow_self_approval: false }, ada), false)
  assert.equal(satisfiedAlone({ ...rule, user_names: ['bob'] }, ada), false)
})
