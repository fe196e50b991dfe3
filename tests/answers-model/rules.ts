import { isBlocked, may, mayWrite, seesRule } from './may.ts'
import { list } from './node-views.ts'
import { anyPolicy, anyRule, mayAssign, mayUnassign, mayWritePolicy, rulesOf, seesPolicy } from './policies.ts'
import { answered, attribute, type Body, condition, type Drawing, type Question } from './predicted.ts'
import { type Assignment, type Rule, removeFrom, type Tie, type World } from './world.ts'

const rulesPath = '/authorisation_rules'

const shown =
  (rule: Rule) =>
  ({ data: { id, attributes } }: Body) => {
    const { path, read, update, execute } = attributes
    return [[{ id, path, read, update, execute, delete: attributes.delete }, { ...rule }]] as const
  }

export function createRule({ world, chance, by }: Drawing): Question {
  const given = anyRule({ chance })
  const wrong = chance.is(0.1)
  const attributes = wrong ? { ...given, path: 'projects/bank' } : given
  const predicted = answered(
    {
      // Without a valid path, the right to write any rules is checked.
      forbidden: () => !mayWrite(world, by, { after: wrong ? { ...given, path: '/' } : given }),
      invalid: () => (wrong ? [{ code: 'invalid', at: attribute('path') }] : []),
    },
    {
      status: 201,
      effect: ({ data }: Body) => void world.rights.rules.push({ id: data.id, ...given }),
      shows: body => shown(world.rights.rules.at(-1)!)(body),
    },
  )
  return { method: 'POST', path: rulesPath, by, attributes, predicted }
}

export function patchRule({ world, chance, by }: Drawing): Question {
  const rule = chance.of(world.rights.rules)
  const { path, ...rights } = anyRule({ chance })
  const attributes = { ...rights, ...(chance.is(0.3) && { path }) }
  const { stale, headers } = condition(chance)
  const predicted = answered(
    {
      missing: !seesRule(world, by, rule),
      forbidden: () => !mayWrite(world, by, { before: rule, after: { ...rule, ...attributes } }),
      stale,
    },
    { status: 200, effect: () => void Object.assign(rule, attributes), shows: body => shown(rule)(body) },
  )
  return { method: 'PATCH', path: `${rulesPath}/${rule.id}`, by, attributes, ...(headers && { headers }), predicted }
}

export function deleteRule({ world, chance, by }: Drawing): Question {
  const rule = chance.of(world.rights.rules)
  const { stale, headers } = condition(chance)
  const predicted = answered(
    { missing: !seesRule(world, by, rule), forbidden: () => !mayWrite(world, by, { before: rule }), stale },
    {
      status: 204,
      effect: () => {
        removeFrom(world.rights.rules, each => each === rule)
        removeFrom(world.rights.ties, each => each.rule === rule)
      },
    },
  )
  return { method: 'DELETE', path: `${rulesPath}/${rule.id}`, by, ...(headers && { headers }), predicted }
}

export function showRule({ world, chance, by }: Drawing): Question {
  const rule = chance.of(world.rights.rules)
  const predicted = answered({ missing: !seesRule(world, by, rule) }, { status: 200, shows: body => shown(rule)(body) })
  return { method: 'GET', path: `${rulesPath}/${rule.id}`, by, predicted }
}

export function tieRule({ world, chance, by }: Drawing): Question {
  const policy = anyPolicy({ world, chance })
  const rule = chance.of(world.rights.rules)
  const attributes = { authorisation_policy_id: policy.id, authorisation_rule_id: rule.id }
  const { ties } = world.rights
  const predicted = answered(
    {
      missing: !(seesPolicy(world, by, policy) && seesRule(world, by, rule)),
      forbidden: () => !mayWritePolicy(world, by, [...rulesOf(world, policy), rule]),
      inTheWay: () => (ties.some(tie => tie.policy === policy && tie.rule === rule) ? [{ code: 'wrong-state' }] : []),
    },
    { status: 201, effect: ({ data }: Body) => void ties.push({ id: data.id, policy, rule }) },
  )
  return { method: 'POST', path: '/policy_rules', by, attributes, predicted }
}

export const namedTies = ({ rights }: World): Tie[] => rights.ties.filter(({ id }) => id !== undefined)

export function untieRule({ world, chance, by }: Drawing): Question {
  const tie = chance.of(namedTies(world))
  const predicted = answered(
    {
      missing: !seesTie({ world, by }, tie),
      forbidden: () => !mayWrite(world, by, { before: tie.rule }),
    },
    { status: 204, effect: () => removeFrom(world.rights.ties, each => each === tie) },
  )
  return { method: 'DELETE', path: `/policy_rules/${tie.id}`, by, predicted }
}

const seesTie = ({ world, by }: Pick<Drawing, 'world' | 'by'>, { policy, rule }: Tie) =>
  seesPolicy(world, by, policy) && seesRule(world, by, rule)

export function assignPolicy({ world, chance, by }: Drawing): Question {
  const blocked = world.rights.policies.find(({ name, system }) => system && name === 'blocked')!
  const policy = chance.is(0.05) ? blocked : anyPolicy({ world, chance })
  const username = chance.of(['ann', 'bob', 'cat', 'ann', 'bob', 'cat', 'ann', 'bob', 'cat', null])
  const groupname = chance.of([...Array.from({ length: 6 }, () => null), 'ops'])
  const wanted = { policy, username, groupname }
  const { assignments } = world.rights
  const isThere = (each: Assignment) =>
    each.policy === policy && each.username === username && each.groupname === groupname
  // Superusers too, because otherwise it could not be undone.
  const blocksEveryone = policy === blocked && username === null && groupname === null
  const predicted = answered(
    {
      missing: !seesPolicy(world, by, policy),
      forbidden: () => !mayAssign(world, by, wanted),
      inTheWay: () => (assignments.some(isThere) || blocksEveryone ? [{ code: 'wrong-state' }] : []),
    },
    { status: 201, effect: ({ data }: Body) => void assignments.push({ id: data.id, ...wanted }) },
  )
  const attributes = { authorisation_policy_id: policy.id, username, groupname }
  return { method: 'POST', path: '/policy_assignments', by, attributes, predicted }
}

/** Assignments except those of admin, without which the history could not continue. */
export const ofOthers = ({ rights }: World): Assignment[] =>
  rights.assignments.filter(({ username }) => username !== 'admin')

export function unassignPolicy({ world, chance, by }: Drawing): Question {
  const assignment = chance.of(ofOthers(world))
  const predicted = answered(
    {
      missing: !seesPolicy(world, by, assignment.policy),
      forbidden: () => !mayUnassign(world, by, assignment.policy),
    },
    { status: 204, effect: () => removeFrom(world.rights.assignments, each => each === assignment) },
  )
  return { method: 'DELETE', path: `/policy_assignments/${assignment.id}`, by, predicted }
}

export function listRights({ world, chance, by }: Drawing): Question {
  const { policies, rules, assignments } = world.rights
  const [path, records] = chance.of([
    ['/authorisation_policies', policies.filter(policy => seesPolicy(world, by, policy))],
    [rulesPath, rules.filter(rule => seesRule(world, by, rule))],
    ['/policy_assignments', assignments.filter(({ policy }) => seesPolicy(world, by, policy))],
  ] as const)
  return {
    method: 'GET',
    path: `${path}?limit=1000`,
    by,
    predicted: list(world, by, '/authorisation_policies', records),
  }
}

export function listTies({ world, by }: Drawing): Question {
  const ties = world.rights.ties.filter(tie => seesTie({ world, by }, tie))
  const shows = ({ data }: Body) =>
    [
      [
        data
          .map(({ attributes }: Body) => [attributes.authorisation_policy_id, attributes.authorisation_rule_id].join())
          .toSorted(),
        ties.map(({ policy, rule }) => [policy.id, rule.id].join()).toSorted(),
      ],
    ] as const
  return { method: 'GET', path: '/policy_rules?limit=1000', by, predicted: { status: 200, shows } }
}

/** Anyone may check their own rights; rights of others need the right to read policies there. */
export function checkRight({ world, chance, by }: Drawing): Question {
  const node = chance.of(world.nodes)
  const path = chance.of([node.path, `${node.path}/settings`, '/projects', '/authorisation_policies', '/'])
  const right = chance.of(['read', 'update', 'execute', 'delete'] as const)
  const username = chance.of([undefined, by, 'ann', 'bob', 'cat', 'no-one'])
  const whose = username ?? by
  const isMissing = whose === 'no-one' && seesRule(world, by, { path })
  const predicted = answered(
    { missing: isMissing, forbidden: () => isBlocked(world, by) || (whose !== by && !seesRule(world, by, { path })) },
    { status: 200, shows: ({ data }) => [[data.attributes.allowed, may(world, whose, right, path)]] },
  )
  const query = new URLSearchParams({ path, right, ...(username && { username }) })
  return { method: 'GET', path: `/authorisation_check?${query}`, by, predicted }
}
