import Type from 'typebox'
import { type AnyCommand, type Context, command, done, type Request, type Target } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { type AssigneeAttributes, aboutAssignment, assigneeAttributes, checkAssignee } from './assignment.ts'
import { needsOfPolicy } from './policy.commands.ts'
import {
  insertAssignment,
  insertPolicyRule,
  isAnySuperuserLeft,
  lockPolicy,
  lockRule,
  type Policy,
  type StoredRule,
} from './policy.store.ts'
import { mayReadPolicy, mayReadRule, needsToWrite, requireSuperuser } from './rule.ts'

const id = (what: string) => Type.String({ format: 'uuid', description: `The id of ${what}.` })
const policyId = id('a policy')

interface Tie extends Target {
  policy: Policy
  rule: StoredRule
}

const ofSystem = ({ policy }: { policy: Policy }) =>
  policy.system
    ? failure('wrong-state', `The policy ${policy.name} belongs to the system and takes no rules.`)
    : undefined

const addRule = command<{ authorisation_policy_id: string; authorisation_rule_id: string }, Tie>({
  name: 'policy_rules.create',
  summary: 'Puts a rule into a policy.',
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
  find: (context, { attributes }) => tie(context, attributes.authorisation_policy_id, attributes.authorisation_rule_id),
  // The rule is given to whoever has the policy: both are written.
  needs: ({ policy, rule }, _request, actor) => [
    ...needsToWrite({ after: rule }, actor),
    ...needsOfPolicy(
      policy.rules.map(each => ({ after: each })),
      actor,
    ),
  ],
  refuse: ofSystem,
  run: async ({ tx, actor }, { policy, rule }) => {
    const made = await insertPolicyRule(tx, policy.id, rule.id, actor)
    if (!made) throw failure('wrong-state', 'The policy has this rule.')
    return done({ id: made, event: { source: { type: 'policy_rule', id: made } } })
  },
})

async function tie(
  { tx, actor }: Context,
  policyId: string | undefined,
  ruleId: string | undefined,
): Promise<Tie | undefined> {
  const policy = policyId ? await lockPolicy(tx, policyId) : undefined
  const rule = ruleId ? await lockRule(tx, ruleId) : undefined
  return policy && rule && mayReadPolicy(policy, actor) && mayReadRule(rule, actor) ? { policy, rule } : undefined
}

const removeRule = command<never, Tie & { id: string }>({
  name: 'policy_rules.delete',
  summary: 'Takes a rule out of a policy.',
  method: 'DELETE',
  paths: ['/api/policy_rules/:id'],
  status: 204,
  event: 'api:policy_rules:destroy',
  eventBody: [],
  find: async (context, { params }) => {
    const row = await context.tx.one(sql<{ id: string; policy_id: string; rule_id: string }>`
      select id, policy_id, rule_id from policy_rules where id = ${params['id']}::uuid`)
    const found = row && (await tie(context, row.policy_id, row.rule_id))
    return found && { ...found, id: row.id }
  },
  needs: ({ rule }, _request, actor) => needsToWrite({ before: rule }, actor),
  run: async ({ tx }, found) => {
    await tx.count(sql`delete from policy_rules where id = ${found.id}`)
    const attributes = { authorisation_policy_id: found.policy.id, authorisation_rule_id: found.rule.id }
    return done({ event: { source: { type: 'policy_rule', id: found.id }, attributes } })
  },
})

interface Assigning extends Target {
  policy: Policy
}

const assign = command<AssigneeAttributes & { authorisation_policy_id: string }, Assigning>({
  name: 'policy_assignments.create',
  summary: 'Assigns a policy to a user, a group, a user while in a group, or everyone.',
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
  find: async ({ tx, actor }, { attributes }) => {
    const id: string | undefined = attributes.authorisation_policy_id
    const policy = id === undefined ? undefined : await lockPolicy(tx, id)
    return policy && mayReadPolicy(policy, actor) ? { policy } : undefined
  },
  needs: ({ policy }, _request, actor) => needsToAssign(policy, actor, 'after'),
  run: async (context, { policy }, { attributes }) => {
    const { tx, actor } = context
    const to = await checkAssignee(context, attributes, '/data/attributes')
    const made = await insertAssignment(tx, policy.id, to, actor)
    if (!made) throw failure('wrong-state', 'The policy is assigned so.')
    await keepASuperuser(tx, policy)
    return done({ id: made, event: aboutAssignment(made, policy.id, attributes) })
  },
})

function needsToAssign(policy: Policy, actor: Context['actor'], what: 'before' | 'after') {
  if (policy.system) requireSuperuser(actor, `assign the policy ${policy.name}`)
  return needsOfPolicy(
    policy.rules.map(rule => ({ [what]: rule })),
    actor,
  )
}

interface Assigned extends Assigning, AssigneeAttributes {
  id: string
}

const unassign = command<never, Assigned>({
  name: 'policy_assignments.delete',
  summary: 'Takes a policy back from whom it was assigned to.',
  method: 'DELETE',
  paths: ['/api/policy_assignments/:id'],
  status: 204,
  event: 'api:policy_assignments:destroy',
  eventBody: [],
  find: findAssigned,
  needs: ({ policy }, _request, actor) => needsToAssign(policy, actor, 'before'),
  run: async ({ tx }, found) => {
    await tx.count(sql`delete from policy_assignments where id = ${found.id}`)
    await keepASuperuser(tx, found.policy)
    return done({ event: aboutAssignment(found.id, found.policy.id, found) })
  },
})

async function findAssigned({ tx, actor }: Context, { params }: Request<unknown>): Promise<Assigned | undefined> {
  const row = await tx.one(sql<{ id: string; policy_id: string; username: string | null; groupname: string | null }>`
    select a.id, a.policy_id, u.username, a.groupname
      from policy_assignments a
      left join users u on u.id = a.assignee_id
     where a.id = ${params['id']}::uuid`)
  const policy = row && (await lockPolicy(tx, row.policy_id))
  return policy && mayReadPolicy(policy, actor) ? { ...row, policy } : undefined
}

/** An installation without a superuser could never have one again. */
async function keepASuperuser(tx: Tx, policy: Policy): Promise<void> {
  if (!policy.system || (await isAnySuperuserLeft(tx))) return
  throw failure('wrong-state', 'Nobody would be left who is a superuser: make another first.')
}

export const policyTieCommands: AnyCommand[] = [addRule, removeRule, assign, unassign]
