import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '#platform/documents/document.ts'
import type { Rule } from '../../../tests/approval-model/rules.ts'
import { convergeSettings } from '../settings/converge.ts'
import type { StepDefinition } from '../steps/index.ts'
import { type Approval, type ApprovalRule, approvalBy, lacking, rejectionBy } from '../steps/rules/approvals.ts'
import { underApprovals } from './change-tree.ts'

/*
 * Tests of the approvers of a change, and of the approvals that count: random rules of random levels, judged by a plain
 * reading of the rules that keeps who has approved, where the engine keeps for which rules.
 */

const people = ['ann', 'bob', 'cid', 'dee'] as const
type Person = (typeof people)[number]
const groupsOf: Record<Person, string[]> = { ann: ['leads'], bob: ['ops'], cid: ['Ops', 'leads'], dee: [] }
const properties = { owner: { one: 'bob', team: ['cid', 'DEE'] } }
const meant: Record<string, string[]> = { '{{ owner.one }}': ['bob'], '{{owner.team}}': ['cid', 'dee'] }

const some = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
const groups = some('ops', 'LEADS', 'nobody is in it')
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    change_filter: fc.record(
      {
        actions: fc.constantFrom<string | string[]>(
          'all',
          'deploy',
          'DEP*',
          'stop, deplo?',
          'stop',
          ['x', 'deploy'],
          '*a',
        ),
        created_by: fc.record({ user_names: some('ANN', 'bob'), ldap_groups: groups }, { requiredKeys: [] }),
      },
      { requiredKeys: ['actions'] },
    ),
    user_names: some('ann', 'Bob', 'cid', 'dee', '{{ owner.one }}', '{{owner.team}}'),
    ldap_groups: groups,
    required_approvals: fc.integer({ min: 1, max: 3 }),
    allow_self_approval: fc.boolean(),
    merge_approvers: fc.boolean(),
  },
  { requiredKeys: ['change_filter'] },
)

const isIn = (person: Person, { user_names = [], ldap_groups = [] }: Pick<Rule, 'user_names' | 'ldap_groups'>) =>
  user_names.flatMap(name => meant[name] ?? [name.toLowerCase()]).includes(person) ||
  ldap_groups.some(group => groupsOf[person].some(own => own.toLowerCase() === group.toLowerCase()))

/** Rules that a person has to satisfy, of all levels together. */
function asked(levels: readonly (readonly Rule[])[], creator: Person): Rule[] {
  const all: { rule: Rule; level: number }[] = []
  for (const [level, rules] of levels.entries())
    for (const each of rules) {
      const isSame = (other: Rule) => JSON.stringify(other.change_filter) === JSON.stringify(each.change_filter)
      const higher = all.find(at => at.level < level && at.rule.merge_approvers === true && isSame(at.rule))
      if (!higher) all.push({ rule: each, level })
      else
        higher.rule = {
          ...higher.rule,
          user_names: [...(higher.rule.user_names ?? []), ...(each.user_names ?? [])],
          ldap_groups: [...(higher.rule.ldap_groups ?? []), ...(each.ldap_groups ?? [])],
        }
    }
  return all
    .map(each => each.rule)
    .filter(({ change_filter: { actions, created_by } }) => {
      const globs = Array.isArray(actions) ? actions : String(actions).split(',')
      const isNamed = globs.some(glob => glob === 'all' || pattern(glob.trim()).test('deploy'))
      return isNamed && (created_by === undefined || isIn(creator, created_by))
    })
    .filter(each => !(each.allow_self_approval && (each.required_approvals ?? 1) === 1 && isIn(creator, each)))
}

const pattern = (glob: string) => new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i')

const speaksFor = (person: Person, each: Rule, creator: Person) =>
  isIn(person, each) && (person !== creator || each.allow_self_approval === true)

const root: StepDefinition = {
  action: 'deploy',
  step_name: 'deploy',
  description: null,
  step_type: 'standard',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  definition: {},
  children: [],
}

const cases = fc.record({
  levels: fc.array(fc.array(rule, { maxLength: 2 }), { minLength: 1, maxLength: 4 }),
  creator: fc.constantFrom(...people),
  attempts: fc.array(fc.constantFrom(...people), { minLength: 4, maxLength: 8 }),
})

test('who is asked, whose approval counts and when it is enough are as the rules of all levels say', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ levels, creator, attempts }) => {
      const layers = levels.map((rules, at) => ({
        source: `level ${at}`,
        data: { requires_approval_from: rules as unknown as Json },
      }))
      const tree = await underApprovals(root, {
        action: 'deploy',
        settings: convergeSettings(layers, {}).data,
        createdBy: { username: creator, groupnames: groupsOf[creator] },
        properties: async () => properties,
      })
      const rules = (tree.requires_approval_from ?? []) as readonly ApprovalRule[]
      const wanted = asked(levels, creator)
      assert.equal(rules.length, wanted.length)
      assert.equal(tree.step_type, wanted.length > 0 ? 'wait' : 'standard')

      const approved = new Set<Person>()
      const approvals: Approval[] = []
      for (const person of attempts) {
        const decider = {
          userId: person,
          username: person.toUpperCase(),
          groupnames: groupsOf[person],
          isProgram: false,
        }
        const standing = approvalBy(decider, { rules, approvals, creatorId: creator })
        const counts = !approved.has(person) && wanted.some(each => speaksFor(person, each, creator))
        assert.equal('counts' in standing, counts, person)
        assert.equal(
          'counts' in rejectionBy(decider, { rules }),
          wanted.some(each => isIn(person, each)),
          person,
        )
        if (!('counts' in standing)) continue
        approvals.push({ username: person, at: '', rules: standing.counts })
        approved.add(person)
        const isEnough = wanted.every(
          each => [...approved].filter(one => speaksFor(one, each, creator)).length >= (each.required_approvals ?? 1),
        )
        assert.equal(
          lacking({ rules, approvals }).every(count => count === 0),
          isEnough,
        )
      }
    }),
    { numRuns: 2_000, seed: 7 },
  ))
