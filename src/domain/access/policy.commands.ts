import Type from 'typebox'
import type { Actor, Need } from '#platform/actor.ts'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { nameSchema } from '../nodes/index.ts'
import {
  type AssigneeAttributes,
  assigneeSchema,
  checkAssignee,
  recordAssignment,
  resolveAssignees,
} from './assignment.tx.ts'
import {
  assignmentsOf,
  deletePolicy,
  deleteTiesOfPolicy,
  insertAssignment,
  insertPolicy,
  insertPolicyRule,
  insertRule,
  isNameTaken,
  lockPolicy,
  type Policy,
  updatePolicy,
} from './policy.store.ts'
import { aboutRule, type RuleAttributes, recordTie, ruleFrom, ruleSchema } from './rule.commands.ts'
import { mayReadPolicy, needsToWrite, policiesPath, requireSuperuser, type Write } from './rule.ts'
import { refuseUnmatchable } from './rule-path.ts'

/** Needs for assigning or unassigning a policy: the rights to write its rules. */
export function needsToAssign(policy: Policy, actor: Actor, what: 'before' | 'after'): Need[] {
  if (policy.system) requireSuperuser(actor, `assign the policy ${policy.name}`)
  return needsOfPolicy(
    policy.rules.map(rule => ({ [what]: rule })),
    actor,
  )
}

export const takesNoRules = ({ policy }: { policy: Policy }) =>
  policy.system
    ? failure('wrong-state', `The policy ${policy.name} belongs to the system and takes no rules.`)
    : undefined

interface Attributes {
  name: string
  description?: string | null
  authorisation_rules?: RuleAttributes[]
  assignments?: AssigneeAttributes[]
}

const name = nameSchema('Unique, case-insensitively.')
const description = Type.Optional(Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()]))

/** Rights needed to write a policy: those for all of its rules; a policy without rules belongs to the installation. */
export const needsOfPolicy = (rules: readonly Write[], actor: Actor): Need[] =>
  rules.length > 0 ? needsToWrite(rules, actor) : [{ right: 'update', path: policiesPath }]

const create = command<Attributes>({
  name: 'authorisation_policies.create',
  summary: 'Creates a policy, optionally with rules and assignments.',
  method: 'POST',
  paths: ['/api/authorisation_policies'],
  status: 201,
  event: 'api:authorisation_policies:create',
  eventBody: ['name', 'description'],
  attributes: Type.Object(
    {
      name,
      description,
      authorisation_rules: Type.Optional(Type.Array(ruleSchema, { maxItems: 1_000 })),
      assignments: Type.Optional(Type.Array(assigneeSchema, { maxItems: 1_000 })),
    },
    { additionalProperties: false },
  ),
  answers: 'authorisation_policy',
  find: async () => ({}),
  needs: (_found, { attributes }, actor) =>
    needsOfPolicy(
      (attributes.authorisation_rules ?? []).map(rule => ({ after: ruleFrom(rule) })),
      actor,
    ),
  collides: ({ tx }, _found, { attributes }) => nameCollides(tx, attributes.name),
  run: async (context, _found, { attributes }) => {
    const { tx, actor } = context
    refuseUnmatchable(writtenPaths(attributes.authorisation_rules ?? []))
    const name = attributes.name.normalize('NFC')
    const id = await insertPolicy(tx, { name, description: attributes.description ?? null }, actor)
    if (!id) throw taken(name)
    for (const rule of attributes.authorisation_rules ?? []) await addNewRule(context, id, rule)
    for (const [at, assignee] of (attributes.assignments ?? []).entries()) {
      const to = await resolveAssignees(tx, assignee, `/data/attributes/assignments/${at}`)
      checkAssignee(actor, to)
      const assignment = await insertAssignment(tx, id, to, actor)
      if (assignment) await recordAssignment(context, 'create', assignment, id, to)
    }
    return done({ id, event: aboutPolicy(id, name) })
  },
})

/** Paths of the rules in a body, each with its place in the body. */
export const writtenPaths = (rules: readonly RuleAttributes[]): { path: string; pointer: string }[] =>
  rules.map(({ path }, at) => ({ path, pointer: `/data/attributes/authorisation_rules/${at}/path` }))

/** Creates a rule and adds it to the policy. */
export async function addNewRule(context: Context, policyId: string, attributes: RuleAttributes): Promise<void> {
  const { tx, actor } = context
  const rule = ruleFrom(attributes)
  const ruleId = await insertRule(tx, rule, actor)
  await context.record({ type: 'api:authorisation_rules:create', actor, ...aboutRule(ruleId, rule) })
  const id = (await insertPolicyRule(tx, policyId, ruleId, actor))!
  await recordTie(context, 'create', { id, policyId, ruleId })
}

export interface FoundPolicy extends Target {
  policy: Policy
}

export const findPolicy = async (
  { tx, actor }: Context,
  { params }: Request<unknown>,
): Promise<FoundPolicy | undefined> => {
  const policy = await lockPolicy(tx, params['id']!)
  return policy && mayReadPolicy(policy, actor) ? { policy, rowVersion: policy.row_version } : undefined
}

const isSystem = ({ policy }: FoundPolicy) =>
  policy.system
    ? failure(
        'wrong-state',
        `The policy ${policy.name} belongs to the system: it is assigned, and otherwise stays as it is.`,
      )
    : undefined

const update = command<{ name?: string; description?: string | null }, FoundPolicy>({
  name: 'authorisation_policies.update',
  summary: 'Updates the name or description of a policy.',
  method: 'PATCH',
  paths: ['/api/authorisation_policies/:id'],
  status: 200,
  event: 'api:authorisation_policies:update',
  eventBody: ['name', 'description'],
  attributes: Type.Object({ name: Type.Optional(name), description }, { additionalProperties: false }),
  answers: 'authorisation_policy',
  find: findPolicy,
  needs: ({ policy }, _request, actor) =>
    needsOfPolicy(
      policy.rules.map(rule => ({ after: rule })),
      actor,
    ),
  refuse: isSystem,
  collides: ({ tx }, { policy }, { attributes }) => nameCollides(tx, attributes.name, policy.id),
  run: async ({ tx }, { policy }, { attributes }) => {
    const { name = policy.name, description = policy.description } = attributes
    const after = { name: name.normalize('NFC'), description }
    if (after.name === policy.name && after.description === policy.description) return unchanged(policy.id)
    // Not searched before: a concurrent transaction that takes the same name is not visible.
    await tx
      .savepoint(() => updatePolicy(tx, policy.id, after))
      .catch((error: { code?: string }) => {
        throw error.code === '23505' ? taken(after.name) : error
      })
    return done({ id: policy.id, event: aboutPolicy(policy.id, after.name) })
  },
})

const remove = command<never, FoundPolicy>({
  name: 'authorisation_policies.delete',
  summary: 'Deletes a policy and its assignments; its rules stay.',
  method: 'DELETE',
  paths: ['/api/authorisation_policies/:id'],
  status: 204,
  event: 'api:authorisation_policies:destroy',
  eventBody: [],
  find: findPolicy,
  needs: ({ policy }, _request, actor) =>
    needsOfPolicy(
      policy.rules.map(rule => ({ before: rule })),
      actor,
    ),
  refuse: isSystem,
  // Losses of rights are recorded as if each assignment were removed alone.
  run: async (context, { policy }) => {
    const { tx } = context
    for (const { id, ...assignee } of await assignmentsOf(tx, policy.id))
      await recordAssignment(context, 'destroy', id, policy.id, assignee)
    for (const tie of await deleteTiesOfPolicy(tx, policy.id)) await recordTie(context, 'destroy', tie)
    await deletePolicy(tx, policy.id)
    return done({ event: aboutPolicy(policy.id, policy.name) })
  },
})

const aboutPolicy = (id: string, name: string) => ({
  source: { type: 'authorisation_policy', id },
  attributes: { name },
})

const nameCollides = async (tx: Tx, name?: string, id?: string): Promise<Failure | undefined> =>
  name !== undefined && (await isNameTaken(tx, name, id)) ? taken(name) : undefined

const taken = (name: string) =>
  failure('code-taken', `There is a policy ${name}.`, { source: { pointer: '/data/attributes/name' } })

export const policyCommands: AnyCommand[] = [create, update, remove]
