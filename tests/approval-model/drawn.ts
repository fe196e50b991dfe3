import type { Chance } from '../audit-trail/chance.ts'
import type { Properties, Rule } from './rules.ts'

/** Random rules, including invalid ones; with few names and filters, so that they overlap. */

const filters: readonly Rule['change_filter'][] = [
  { actions: 'all' },
  { actions: 'all' },
  { actions: 'deploy' },
  { actions: 'dep*, guarded' },
  { actions: ['paired', '*loy'] },
  { actions: 'all', created_by: { user_names: ['Ann'] } },
  { actions: 'all', created_by: { ldap_groups: ['OPS'] } },
  { actions: 'all', created_by: { user_names: ['ben', 'admin'], ldap_groups: ['leads'] } },
]

const users = ['ann', 'BEN', 'cat', 'dan', 'Eve', 'ann', 'ben', 'cat', 'dan', 'eve', 'admin', '{{ owners }}', 'nobody']
const groups = ['ops', 'Leads', 'ops', 'leads', '{{ squad }}', 'ghosts']

export const someRules = (chance: Chance, atMost: number): Rule[] =>
  Array.from({ length: Math.floor(chance.of([0, 0.5, 1]) * atMost) }, () => someRule(chance))

function someRule(chance: Chance): Rule {
  const user_names = some(chance, users, [0, 1, 1, 2, 2, 3])
  const ldap_groups = some(chance, groups, user_names.length === 0 ? [1] : [0, 0, 1])
  return {
    change_filter: chance.of(filters),
    ...(user_names.length > 0 && { user_names }),
    ...(ldap_groups.length > 0 && { ldap_groups }),
    ...(chance.is(0.3) && { required_approvals: chance.of([1, 2, 2, 3]) }),
    ...(chance.is(0.3) && { allow_self_approval: chance.is(0.8) }),
    ...(chance.is(0.3) && { merge_approvers: chance.is(0.8) }),
  }
}

const some = (chance: Chance, among: readonly string[], counts: readonly number[]): string[] => [
  ...new Set(Array.from({ length: chance.of(counts) }, () => chance.of(among))),
]

/** Properties that rules refer to; a number and a document name no approver. */
export function someProperties(chance: Chance): Properties {
  const owners = chance.of<unknown>(['ann', 'CAT', ['ben', 'dan'], ['eve', 'nobody'], ['cat'], [], 7, undefined])
  const squad = chance.of<unknown>(['ops', ['leads', 'OPS'], 'ghosts', { ops: true }, undefined])
  return { ...(owners !== undefined && { owners }), ...(squad !== undefined && { squad }) }
}
