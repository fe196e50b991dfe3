import Type from 'typebox'
import { type AnyCommand, type Context, command, done, type Request, type Target } from '#platform/commands/command.ts'
import { failure, missing } from '#platform/failure.ts'
import {
  type AssigneeAttributes,
  aboutAssignment,
  assigneeAttributes,
  checkAssignee,
  resolveAssignees,
} from './assignment.tx.ts'
import { keepLastSuperuser } from './last-superuser.store.ts'
import { needsToAssign, takesNoRules } from './policy.commands.ts'
import {
  deleteAssignment,
  deletePolicyRule,
  findAssignment,
  findPolicyRule,
  insertAssignment,
  insertPolicyRule,
  lockPolicy,
  lockRule,
  onlyVersion,
  type Policy,
  type StoredRule,
  touchPolicy,
} from './policy.store.ts'
import { aboutTie } from './rule.commands.ts'
import { mayReadPolicy, mayReadRule, needsToWrite } from './rule.ts'

const id = (what: string) => Type.String({ format: 'uuid', description: `The id of ${what}.` })
const policyId = id('a policy')

interface Tie extends Target {
  policy: Policy
  rule: StoredRule
}

const addRule = command<{ authorisation_policy_id: string; authorisation_rule_id: string }, Tie>({
  name: 'policy_rules.create',
  summary: 'Adds a rule to a policy.',
  method: 'POST',
  paths: ['/api/policy_rules'],
  status: 201,
  event: 'api:policy_rules:create',
  eventBody: ['authorisation_policy_id', 'authorisation_rule_id'],
  attributes: Type.Object(
    { authorisation_policy_id: policyId, authorisation_rule_id: id('a rule') },
    { additionalProperties: false },
  ),
  answers: 'policy_rule',
  find: async (context, { attributes }) => {
    const { authorisation_policy_id: policyId, authorisation_rule_id: ruleId } = attributes
    if (policyId === undefined || ruleId === undefined) return undefined
    const policy = await readablePolicy(context, policyId)
    if (!policy) throw noSuchPolicy()
    const rule = await readableRule(context, ruleId)
    if (!rule) throw noSuchRule()
    return { policy, rule }
  },
  // The rule is granted to everyone who has the policy: both are written.
  needs: ({ policy, rule }, _request, actor) =>
    needsToWrite(
      [rule, ...policy.rules].map(each => ({ after: each })),
      actor,
    ),
  refuse: takesNoRules,
  run: async ({ tx, actor }, { policy, rule }) => {
    const made = await insertPolicyRule(tx, policy.id, rule.id, actor)
    if (!made) throw failure('wrong-state', 'The policy has this rule.')
    await touchPolicy(tx, policy.id)
    return done({ id: made, event: aboutTie({ id: made, policyId: policy.id, ruleId: rule.id }) })
  },
})

async function readablePolicy({ tx, actor }: Context, id: string): Promise<Policy | undefined> {
  const policy = await lockPolicy(tx, id)
  return policy && mayReadPolicy(policy, actor) ? policy : undefined
}

async function readableRule({ tx, actor }: Context, id: string): Promise<StoredRule | undefined> {
  const rule = await lockRule(tx, id)
  return rule && mayReadRule(rule, actor) ? rule : undefined
}

/**
 * Failure for an id in the body that names no readable record. A body holds two ids: the fault names the one that does
 * not exist.
 */
const noSuch = (what: string, name: string) =>
  failure('missing', `There is no such ${what}, or you may not read it.`, {
    source: { pointer: `/data/attributes/${name}` },
  })
const noSuchPolicy = () => noSuch('policy', 'authorisation_policy_id')
const noSuchRule = () => noSuch('rule', 'authorisation_rule_id')

const removeRule = command<never, Tie & { id: string }>({
  name: 'policy_rules.delete',
  summary: 'Removes a rule from a policy.',
  method: 'DELETE',
  paths: ['/api/policy_rules/:id'],
  status: 204,
  event: 'api:policy_rules:destroy',
  eventBody: [],
  find: async (context, { params }) => {
    const row = await findPolicyRule(context.tx, params['id'])
    const policy = row && (await readablePolicy(context, row.policy_id))
    const rule = policy && (await readableRule(context, row.rule_id))
    return rule && { policy, rule, id: row.id, rowVersion: onlyVersion }
  },
  needs: ({ rule }, _request, actor) => needsToWrite([{ before: rule }], actor),
  run: async ({ tx }, found) => {
    // Found before the policy was locked: another transaction may have removed it meanwhile.
    if (!(await deletePolicyRule(tx, found.policy.id, found.rule.id))) throw missing()
    await touchPolicy(tx, found.policy.id)
    return done({ event: aboutTie({ id: found.id, policyId: found.policy.id, ruleId: found.rule.id }) })
  },
})

interface Assigning extends Target {
  policy: Policy
}

const assign = command<AssigneeAttributes & { authorisation_policy_id: string }, Assigning>({
  name: 'policy_assignments.create',
  summary: 'Assigns a policy to a user, a group, a user while a member of a group, or everyone.',
  method: 'POST',
  paths: ['/api/policy_assignments'],
  status: 201,
  event: 'api:policy_assignments:create',
  eventBody: ['authorisation_policy_id', 'username', 'groupname'],
  attributes: Type.Object(
    { authorisation_policy_id: policyId, ...assigneeAttributes },
    { additionalProperties: false },
  ),
  answers: 'policy_assignment',
  find: async (context, { attributes: { authorisation_policy_id: id } }) => {
    if (id === undefined) return undefined
    const policy = await readablePolicy(context, id)
    if (!policy) throw noSuchPolicy()
    return { policy }
  },
  needs: ({ policy }, _request, actor) => needsToAssign(policy, actor, 'after'),
  run: async ({ tx, actor }, { policy }, { attributes }) => {
    const to = await resolveAssignees(tx, attributes, '/data/attributes')
    checkAssignee(actor, to)
    const made = await insertAssignment(tx, policy.id, to, actor)
    if (!made) throw failure('wrong-state', 'The policy is assigned so.')
    if (policy.system) await keepLastSuperuser(tx)
    await touchPolicy(tx, policy.id)
    return done({ id: made, event: aboutAssignment(made, policy.id, to) })
  },
})

interface Assigned extends Assigning {
  id: string
  username: string | null
  groupname: string | null
}

const unassign = command<never, Assigned>({
  name: 'policy_assignments.delete',
  summary: 'Removes an assignment of a policy.',
  method: 'DELETE',
  paths: ['/api/policy_assignments/:id'],
  status: 204,
  event: 'api:policy_assignments:destroy',
  eventBody: [],
  find: findAssigned,
  needs: ({ policy }, _request, actor) => needsToAssign(policy, actor, 'before'),
  run: async ({ tx }, found) => {
    if ((await deleteAssignment(tx, found.id)) === 0) throw missing()
    if (found.policy.system) await keepLastSuperuser(tx)
    await touchPolicy(tx, found.policy.id)
    return done({ event: aboutAssignment(found.id, found.policy.id, found) })
  },
})

async function findAssigned(context: Context, { params }: Request<unknown>): Promise<Assigned | undefined> {
  const { tx } = context
  const row = await findAssignment(tx, params['id'])
  const policy = row && (await readablePolicy(context, row.policy_id))
  return policy && { ...row, policy, rowVersion: onlyVersion }
}

export const policyTieCommands: AnyCommand[] = [addRule, removeRule, assign, unassign]
