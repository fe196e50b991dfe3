import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Right } from '#platform/actor.ts'
import { decidingByRule, paths, ruleSets } from '../../../tests/support/rights-oracle.ts'
import type { Rule } from './decide.ts'
import { explain } from './explain.ts'

const rule = (path: string, says: Partial<Omit<Rule, 'path'>>): Rule => ({
  path,
  read: null,
  update: null,
  execute: null,
  delete: null,
  ...says,
})
const nobody = { superuser: false, blocked: false, disabled: false, rules: [] }

test('what is explained is what decides, and by the rules that decide it, for 10,000 random policies', () => {
  const right = fc.constantFrom<Right>('read', 'update', 'execute', 'delete')
  fc.assert(
    fc.property(ruleSets, right, paths, (rules, asked, path) => {
      const deciding = decidingByRule(rules, asked, path)
      const explained = explain({ ...nobody, rules }, asked, path)
      assert.equal(explained.allowed, deciding?.says ?? false)
      assert.equal(explained.decidedBy, deciding ? 'rule' : 'no_rule')
      assert.equal(explained.rules.includes(deciding?.rule as Rule), deciding !== undefined)
      // Every rule that alone would decide is either a deciding one or told with its reason.
      const told = [...explained.rules, ...explained.others.map(each => each.rule)]
      for (const each of rules) if (decidingByRule([each], asked, path)) assert.ok(told.includes(each))
      assert.equal(new Set(told).size, told.length)
      for (const each of explained.rules) {
        assert.equal(each.path, deciding?.rule.path)
        assert.equal(decidingByRule([each], asked, path)?.says, deciding?.says)
      }
    }),
    { numRuns: 10_000 },
  )
})

test('a denial is explained by the rule that denies, also where reading is what it denies', () => {
  const allows = rule('/projects/bank', { update: true })
  const hides = rule('/projects/bank', { read: false })
  const explained = explain({ ...nobody, rules: [allows, hides] }, 'update', '/projects/bank/assets/web')
  assert.deepEqual([explained.allowed, explained.rules], [false, [hides]])
  assert.match(explained.reason, /\/projects\/bank, which denies it/)
})

test('blocked, superuser and disabled decide before any rule', () => {
  const rules = [rule('/', { read: true })]
  const by = (granted: object) => {
    const { allowed, decidedBy, rules: deciding } = explain({ ...nobody, rules, ...granted }, 'read', '/projects')
    return [allowed, decidedBy, deciding.length]
  }
  assert.deepEqual(by({}), [true, 'rule', 1])
  assert.deepEqual(by({ superuser: true }), [true, 'superuser', 0])
  assert.deepEqual(by({ superuser: true, blocked: true }), [false, 'blocked', 0])
  assert.deepEqual(by({ superuser: true, disabled: true }), [false, 'disabled', 0])
})

test('that a rule on the root does not cover who hands out rights is said', () => {
  const { allowed, decidedBy, reason } = explain(
    { ...nobody, rules: [rule('/', { read: true })] },
    'read',
    '/authorisation_policies/x',
  )
  assert.deepEqual([allowed, decidedBy], [false, 'no_rule'])
  assert.match(reason, /on the root does not cover \/authorisation_policies/)
})

test('other rules that match are told with why they did not decide, the longest first', () => {
  const decides = rule('/projects/bank/assets/web', { execute: true })
  const star = rule('/projects/bank/assets/*', { execute: false })
  const denied = rule('/projects/bank/assets/web', { read: true })
  const elsewhere = rule('/projects/shop', { execute: true })
  const short = rule('/projects/bank', { execute: false })
  const rules = [short, elsewhere, denied, star, decides]
  const { allowed, others } = explain({ ...nobody, rules }, 'execute', '/projects/bank/assets/web')
  assert.equal(allowed, true)
  assert.deepEqual(
    others.map(each => [each.rule, each.reason]),
    [
      [denied, 'It says nothing about execute.'],
      [star, 'Its path has a * where that of the deciding rule has a name.'],
      [short, 'Its path is shorter than that of the deciding rule.'],
    ],
  )
  const same = [rule('/projects/bank', { read: true }), rule('/projects/bank', { read: false })]
  assert.deepEqual(
    explain({ ...nobody, rules: same }, 'read', '/projects/bank').others.map(each => each.reason),
    ['A rule on the same path denies it, and a denial takes precedence.'],
  )
})
