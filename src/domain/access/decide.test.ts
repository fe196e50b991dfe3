import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Right } from '#platform/actor.ts'
import { allPaths, mayByRule, paths, ruleSets } from '../../../tests/support/rights-oracle.ts'
import type { Rule } from './decide.ts'
import { rightsFrom } from './rights.sql.ts'

const rule = (path: string, says: Partial<Omit<Rule, 'path'>>): Rule => ({
  path,
  read: null,
  update: null,
  execute: null,
  delete: null,
  ...says,
})
const rights = (...rules: Rule[]) => rightsFrom({ superuser: false, blocked: false, rules })

test('without a rule there is no right', () => {
  assert.equal(rights().may('read', '/projects/bank'), false)
})

test('a right that a rule grants somewhere is told apart from one that no rule grants', () => {
  const { somewhere } = rights(
    rule('/projects/*/actions', { execute: true }),
    rule('/projects/bank', { update: false, delete: false }),
    rule('/projects/bank/environments/live', { delete: true }),
  )
  assert.deepEqual(
    (['read', 'update', 'execute', 'delete'] as const).map(right => somewhere?.(right)),
    [true, false, true, true],
  )
  assert.equal(rights().somewhere?.('read'), false)
})

test('a rule covers its path and what is beneath, by whole segments', () => {
  const { may } = rights(rule('/projects/ban', { read: true }))
  assert.equal(may('read', '/projects/ban'), true)
  assert.equal(may('read', '/projects/ban/environments/live'), true)
  assert.equal(may('read', '/projects/bank'), false)
  assert.equal(may('read', '/projects'), false)
})

test('the longest path decides: an allowed asset in a denied environment of an allowed project', () => {
  const { may } = rights(
    rule('/projects/bank', { read: true, update: true }),
    rule('/projects/bank/environments/live', { read: false }),
    rule('/projects/bank/environments/live/assets/web', { update: true }),
  )
  assert.equal(may('update', '/projects/bank/environments/test'), true)
  assert.equal(may('update', '/projects/bank/environments/live/assets/db'), false)
  assert.equal(may('update', '/projects/bank/environments/live/assets/web'), true)
  assert.equal(may('read', '/projects/bank/environments/live/assets/web'), true)
})

test('at equal length a literal beats a star, and on one path deny wins', () => {
  const literal = rights(
    rule('/projects/*/assets/web', { read: true }),
    rule('/projects/bank/assets/*', { read: false }),
  )
  assert.equal(literal.may('read', '/projects/bank/assets/web'), false)
  const tie = rights(rule('/projects/bank', { read: true }), rule('/projects/bank', { read: false }))
  assert.equal(tie.may('read', '/projects/bank'), false)
})

test('update, execute and delete imply reading, and reading denied denies all', () => {
  for (const right of ['update', 'execute', 'delete'] as const) {
    assert.equal(rights(rule('/events', { [right]: true })).may('read', '/events'), true)
    assert.equal(rights(rule('/events', { [right]: true, read: false })).may(right, '/events'), false)
    const two = rights(rule('/events', { [right]: true }), rule('/events', { read: false }))
    assert.equal(two.may(right, '/events'), false)
  }
})

test('who may hand out rights is not covered by a rule on the root', () => {
  const wide = rights(rule('/', { read: true, update: true }), rule('/*', { update: true }))
  assert.equal(wide.may('update', '/projects/bank/authorisation_policies'), true)
  assert.equal(wide.may('read', '/authorisation_policies'), false)
  assert.equal(wide.may('update', '/authorisation_policies/x'), false)
  const named = rights(rule('/authorisation_policies', { update: true }))
  assert.equal(named.may('update', '/authorisation_policies'), true)
  assert.equal(named.may('delete', '/authorisation_policies'), false)
})

test('a superuser may everything, and the blocked nothing even then', () => {
  const boss = rightsFrom({ superuser: true, blocked: false, rules: [] })
  assert.equal(boss.may('update', '/authorisation_policies'), true)
  assert.equal(boss.superuser, true)
  const blocked = rightsFrom({ superuser: true, blocked: true, rules: [rule('/', { read: true })] })
  assert.equal(blocked.may('read', '/projects'), false)
  assert.equal(blocked.superuser, false)
})

test('what rules give beyond the rights of somebody is found wherever it is, and only there', () => {
  const places = [...allPaths, '/projects/new', '/projects/a/actions/new', '/projects/a/assets/new/settings']
  const all: readonly Right[] = ['read', 'update', 'execute', 'delete']
  let more = 0
  fc.assert(
    fc.property(ruleSets, ruleSets, (held, given) => {
      const found = rights(...held).lacking?.(given)
      const lacks = (right: Right, path: string) => mayByRule(given, right, path) && !mayByRule(held, right, path)
      if (found) assert.ok(lacks(found.right, found.path), JSON.stringify(found))
      else for (const path of places) for (const right of all) assert.equal(lacks(right, path), false, path)
      more += found ? 1 : 0
    }),
    { numRuns: 1_000 },
  )
  assert.ok(more > 100 && more < 1_000)
})

test('at least one of the actions is one that a rule names, or any that none names', () => {
  const projects = allPaths.filter(path => /^\/projects\/[^/]+$/.test(path))
  fc.assert(
    fc.property(ruleSets, fc.constantFrom(...projects), (rules, path) => {
      const names = ['deploy', 'de%ploy', 'any other', ...rules.map(each => each.path.split('/')[4] ?? 'any other')]
      const one = names.some(name => mayByRule(rules, 'execute', `${path}/actions/${name}`))
      assert.equal(rights(...rules).mayBelow?.(path)('execute', '/actions/*'), one)
    }),
    { numRuns: 2_000 },
  )
})

test('the decision is the same as that of looking at every rule, for 10,000 random policies', () => {
  const right = fc.constantFrom<Right>('read', 'update', 'execute', 'delete')
  fc.assert(
    fc.property(ruleSets, fc.array(fc.tuple(right, paths), { minLength: 5, maxLength: 5 }), (rules, questions) => {
      const compiled = rights(...rules)
      for (const [asked, path] of questions) {
        const expected = mayByRule(rules, asked, path)
        assert.equal(compiled.may(asked, path), expected)
        const at = path.indexOf('/', 1) < 0 ? path.length : path.lastIndexOf('/')
        assert.equal(compiled.mayBelow?.(path.slice(0, at))(asked, path.slice(at)), expected)
      }
    }),
    { numRuns: 10_000 },
  )
})
