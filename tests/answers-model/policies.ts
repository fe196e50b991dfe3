import { isSuperuser, may, mayWrite, seesRule } from './may.ts'
import { answered, attribute, type Body, type Cause, condition, type Drawing, type Question } from './predicted.ts'
import { type Allowed, type Assignment, type Policy, type Rule, removeFrom, type World } from './world.ts'

const rulePaths = [
  ...['/', '/projects', '/projects/bank', '/projects/shop', '/projects/old', '/projects/*/environments'],
  ...['/projects/bank/environments', '/projects/bank/environments/live', '/projects/bank/assets/*'],
  ...['/projects/bank/environments/*/assets', '/projects/bank/assets/front/properties', '/projects/*/settings'],
  ...['/projects/bank/authorisation_policies', '/authorisation_policies', '/projects/bank/actions/*'],
  ...['/projects/bank/templates', '/projects/shop/agents', '/projects/bank/environments/live/assets/front/actions/ask'],
]

const flags = [true, true, true, true, false, null, null, null]

export function anyRule({ chance }: Pick<Drawing, 'chance'>): Allowed {
  const flag = () => chance.of(flags)
  return { path: chance.of(rulePaths), read: flag(), update: flag(), execute: flag(), delete: flag() }
}

export const rulesOf = ({ rights }: World, policy: Policy): Rule[] =>
  rights.ties.filter(tie => tie.policy === policy).map(({ rule }) => rule)

/** Whether a caller may read a policy: they may read all policies, or those on the paths of all its rules. */
export function seesPolicy(world: World, by: string, policy: Policy): boolean {
  const rules = rulesOf(world, policy)
  return (
    may(world, by, 'read', '/authorisation_policies') ||
    (rules.length > 0 && rules.every(rule => seesRule(world, by, rule)))
  )
}

/** Whether a caller may write all of its rules. A policy without rules belongs to the installation. */
export function mayWritePolicy(
  world: World,
  by: string,
  rules: readonly Allowed[],
  what: 'before' | 'after' = 'after',
): boolean {
  if (rules.length === 0) return may(world, by, 'update', '/authorisation_policies')
  return mayWrite(world, by, ...rules.map(rule => ({ [what]: rule })))
}

export const ownPolicies = ({ rights }: World): Policy[] => rights.policies.filter(({ system }) => !system)

export const anyPolicy = ({ world, chance }: Pick<Drawing, 'world' | 'chance'>): Policy => chance.of(ownPolicies(world))

const policyNames = ['operators', 'owners', 'Owners', 'auditors', 'guests']

const nameTaken = ({ rights }: World, name: string, but?: Policy): Cause[] =>
  rights.policies.some(each => each !== but && each.name.toLowerCase() === name.toLowerCase())
    ? [{ code: 'code-taken' }]
    : []

export function createPolicy({ world, chance, by }: Drawing): Question {
  const name = chance.of(policyNames)
  // At most one: the response does not show which of several got which id.
  const rules = chance.of([[], [anyRule({ chance })]])
  const attributes = { name, authorisation_rules: rules }
  const predicted = answered(
    {
      forbidden: () => !mayWritePolicy(world, by, rules),
      inTheWay: () => nameTaken(world, name),
    },
    { status: 201, effect: ({ data }: Body) => madePolicy(world, data, rules) },
  )
  return { method: 'POST', path: '/authorisation_policies', by, attributes, predicted }
}

function madePolicy({ rights }: World, data: Body, rules: readonly Allowed[]): void {
  const policy: Policy = { id: data.id, system: false, name: data.attributes.name, description: null }
  rights.policies.push(policy)
  for (const given of rules) {
    const rule: Rule = { id: data.relationships.authorisation_rules.data[0].id, ...given }
    rights.rules.push(rule)
    rights.ties.push({ policy, rule })
  }
}

export function patchPolicy({ world, chance, by }: Drawing): Question {
  const policy = anyPolicy({ world, chance })
  const attributes = chance.of([
    { name: chance.of(policyNames) },
    { description: chance.of([null, 'told']) },
    { name: 5 },
    { system: true },
  ])
  const { name, system } = attributes as { name?: unknown; system?: boolean }
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      malformed: system ? [{ code: 'unknown-attribute', at: attribute('system') }] : [],
      missing: !seesPolicy(world, by, policy),
      forbidden: () => !mayWritePolicy(world, by, rulesOf(world, policy)),
      stale,
      inTheWay: () => (typeof name === 'string' ? nameTaken(world, name, policy) : []),
      invalid: () => (name === 5 ? [{ code: 'invalid', at: attribute('name') }] : []),
    },
    {
      status: 200,
      effect: () => void Object.assign(policy, attributes),
      shows: body => shownPolicy(world, by, policy)(body),
    },
  )
  return { method: 'PATCH', path: pathOf(policy), by, attributes, ...(headers && { headers }), predicted }
}

const pathOf = ({ id }: Policy) => `/authorisation_policies/${id}`

const shownPolicy =
  (world: World, by: string, policy: Policy) =>
  ({ data: { id, attributes, relationships } }: Body) =>
    [
      [id, policy.id],
      [attributes.name, policy.name],
      [attributes.description, policy.description],
      [attributes.system, policy.system],
      [
        relationships.authorisation_rules.data.map((each: Body) => each.id).toSorted(),
        rulesOf(world, policy)
          .filter(rule => seesRule(world, by, rule))
          .map(rule => rule.id)
          .toSorted(),
      ],
    ] as const

export function deletePolicy({ world, chance, by }: Drawing): Question {
  const policy = anyPolicy({ world, chance })
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing: !seesPolicy(world, by, policy),
      forbidden: () => !mayWritePolicy(world, by, rulesOf(world, policy), 'before'),
      stale,
    },
    {
      status: 204,
      effect: () => {
        removeFrom(world.rights.policies, each => each === policy)
        removeFrom(world.rights.ties, each => each.policy === policy)
        removeFrom(world.rights.assignments, each => each.policy === policy)
      },
    },
  )
  return { method: 'DELETE', path: pathOf(policy), by, ...(headers && { headers }), predicted }
}

export function showPolicy({ world, chance, by }: Drawing): Question {
  const policy = chance.of(world.rights.policies)
  const predicted = answered(
    { missing: !seesPolicy(world, by, policy) },
    { status: 200, shows: body => shownPolicy(world, by, policy)(body) },
  )
  return { method: 'GET', path: pathOf(policy), by, predicted }
}

/** Whether a caller may assign: only superusers assign to everyone or themselves, and assign system policies. */
export const mayAssign = (
  world: World,
  by: string,
  { policy, username, groupname }: Pick<Assignment, 'policy' | 'username' | 'groupname'>,
): boolean =>
  isSuperuser(world, by) ||
  (mayUnassign(world, by, policy, 'after') && username !== by && (username !== null || groupname !== null))

export const mayUnassign = (world: World, by: string, policy: Policy, what: 'before' | 'after' = 'before'): boolean =>
  isSuperuser(world, by) || (!policy.system && mayWritePolicy(world, by, rulesOf(world, policy), what))
