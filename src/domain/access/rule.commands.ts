import Type from 'typebox'
import {
  type AnyCommand,
  type Context,
  command,
  done,
  type Request,
  type Target,
  unchanged,
} from '#platform/commands/command.ts'
import { shownNameForm, shownNamePattern } from '#platform/display-name.ts'
import {
  deleteTiesOfRules,
  deleteUntiedRules,
  insertRule,
  lockPoliciesOf,
  lockRule,
  type NewRule,
  type PolicyRule,
  type StoredRule,
  touchPoliciesOf,
  updateRule,
} from './policy.store.ts'
import { longestRulePath, mayReadRule, needsToWrite, rulePathForm, rulePathPattern } from './rule.ts'
import { refuseUnmatchable } from './rule-path.ts'

/** A rule in a body: rights that are not named are not decided. */
export interface RuleAttributes {
  path: string
  name?: string | null
  read?: boolean | null
  update?: boolean | null
  execute?: boolean | null
  delete?: boolean | null
}

const flag = (describe: string) =>
  Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: `${describe}: true allows, false denies.` }))

const optional = {
  name: Type.Optional(
    Type.Union([
      Type.String({ minLength: 1, maxLength: 255, pattern: shownNamePattern, shouldBe: shownNameForm }),
      Type.Null(),
    ]),
  ),
  read: flag('Reading'),
  update: flag('Changing'),
  execute: flag('Running'),
  delete: flag('Deleting'),
}
const path = Type.String({
  maxLength: longestRulePath,
  pattern: rulePathPattern,
  shouldBe: rulePathForm,
  description: 'Path, with * for one segment.',
})

export const ruleSchema = Type.Object({ path, ...optional }, { additionalProperties: false })

export const ruleFrom = ({ path, name, read, update, execute, delete: remove }: RuleAttributes): NewRule => ({
  path,
  name: name?.normalize('NFC') ?? null,
  read: read ?? null,
  update: update ?? null,
  execute: execute ?? null,
  delete: remove ?? null,
})

const eventBody = ['path', 'name', 'read', 'update', 'execute', 'delete']

/**
 * Event attributes of a rule, with everything that it allows and denies: it may have come in the list of a policy,
 * whose body no event contains.
 */
export const aboutRule = (id: string, { path, name, read, update, execute, delete: remove }: NewRule) => ({
  source: { type: 'authorisation_rule', id },
  attributes: {
    rule_path: path,
    rule_name: name,
    rule_read: read,
    rule_update: update,
    rule_execute: execute,
    rule_delete: remove,
  },
})

/** Records that a rule was added to a policy, or removed from it. */
export const recordTie = (
  { record, actor }: Pick<Context, 'record' | 'actor'>,
  what: 'create' | 'destroy',
  tie: PolicyRule,
): Promise<void> => record({ type: `api:policy_rules:${what}`, actor, ...aboutTie(tie) })

export const aboutTie = ({ id, policyId, ruleId }: PolicyRule) => ({
  source: { type: 'policy_rule', id },
  attributes: { authorisation_policy_id: policyId, authorisation_rule_id: ruleId },
})

const create = command<RuleAttributes>({
  name: 'authorisation_rules.create',
  summary: 'Creates a rule, which takes effect once a policy contains it.',
  method: 'POST',
  paths: ['/api/authorisation_rules'],
  status: 201,
  event: 'api:authorisation_rules:create',
  eventBody,
  attributes: ruleSchema,
  answers: 'authorisation_rule',
  find: async () => ({}),
  // An invalid path is left out here, and reported afterwards to callers who may write rules at all.
  needs: (_found, { attributes }, actor) =>
    needsToWrite([{ after: ruleFrom({ ...attributes, path: attributes.path ?? '/' }) }], actor),
  run: async ({ tx, actor }, _found, { attributes }) => {
    refuseUnmatchable([{ path: attributes.path, pointer: '/data/attributes/path' }])
    const rule = ruleFrom(attributes)
    const id = await insertRule(tx, rule, actor)
    return done({ id, event: aboutRule(id, rule) })
  },
})

interface Found extends Target {
  rule: StoredRule
}

const find = async ({ tx, actor }: Context, { params }: Request<unknown>): Promise<Found | undefined> => {
  await lockPoliciesOf(tx, params['id']!)
  const rule = await lockRule(tx, params['id']!)
  return rule && mayReadRule(rule, actor) ? { rule, rowVersion: rule.row_version } : undefined
}

const update = command<Partial<RuleAttributes>, Found>({
  name: 'authorisation_rules.update',
  summary: 'Updates a rule, at once for everyone with a policy that contains it.',
  method: 'PATCH',
  paths: ['/api/authorisation_rules/:id'],
  status: 200,
  event: 'api:authorisation_rules:update',
  eventBody,
  attributes: Type.Object({ path: Type.Optional(path), ...optional }, { additionalProperties: false }),
  answers: 'authorisation_rule',
  find,
  needs: ({ rule }, { attributes }, actor) =>
    needsToWrite([{ before: rule, after: ruleFrom({ ...rule, ...attributes }) }], actor),
  run: async ({ tx }, { rule }, { attributes }) => {
    const after = ruleFrom({ ...rule, ...attributes })
    if (Object.entries(after).every(([name, value]) => rule[name as keyof NewRule] === value)) return unchanged(rule.id)
    if (after.path !== rule.path) refuseUnmatchable([{ path: after.path, pointer: '/data/attributes/path' }])
    await updateRule(tx, rule.id, after)
    await touchPoliciesOf(tx, [rule.id])
    return done({ id: rule.id, event: aboutRule(rule.id, after) })
  },
})

const remove = command<never, Found>({
  name: 'authorisation_rules.delete',
  summary: 'Deletes a rule and removes it from every policy.',
  method: 'DELETE',
  paths: ['/api/authorisation_rules/:id'],
  status: 204,
  event: 'api:authorisation_rules:destroy',
  eventBody: [],
  find,
  needs: ({ rule }, _request, actor) => needsToWrite([{ before: rule }], actor),
  run: async (context, { rule }) => {
    await deleteRules(context, [rule.id])
    return done({ event: aboutRule(rule.id, rule) })
  },
})

/**
 * Deletes rules with their places in policies, each of which is recorded: their assignees lose them. The caller has
 * locked them. Takes three statements, however many they are: each statement that writes rights changes the state of
 * all rights.
 */
export async function deleteRules(
  context: Pick<Context, 'tx' | 'record' | 'actor'>,
  ids: readonly string[],
): Promise<void> {
  const { tx } = context
  await touchPoliciesOf(tx, ids)
  for (const tie of await deleteTiesOfRules(tx, ids)) await recordTie(context, 'destroy', tie)
  await deleteUntiedRules(tx, ids)
}

export const ruleCommands: AnyCommand[] = [create, update, remove]
