import Type from 'typebox'
import type { Need } from '#platform/actor.ts'
import { type AnyCommand, type Context, command, done, type Outcome, unchanged } from '#platform/commands/command.ts'
import { foldedName } from '#platform/folded-name.ts'
import {
  type AssigneeAttributes,
  assigneeSchema,
  checkAssignee,
  recordAssignment,
  resolveAssignees,
} from './assignment.tx.ts'
import { keepLastSuperuser } from './last-superuser.store.ts'
import {
  addNewRule,
  type FoundPolicy,
  findPolicy,
  needsOfPolicy,
  needsToAssign,
  takesNoRules,
  writtenPaths,
} from './policy.commands.ts'
import {
  type Assignee,
  assignmentsOf,
  deleteAssignment,
  deletePolicyRule,
  deleteUnheldRule,
  insertAssignment,
  type NewRule,
  type StoredRule,
  touchPolicy,
} from './policy.store.ts'
import { aboutRule, type RuleAttributes, recordTie, ruleFrom, ruleSchema } from './rule.commands.ts'
import type { Write } from './rule.ts'
import { refuseUnmatchable } from './rule-path.ts'

/*
 * A policy's whole list of rules or of assignees at once: one transaction, one event for each difference. Existing
 * entries that remain keep their id.
 */

interface RuleList {
  authorisation_rules: RuleAttributes[]
}

const putRules = command<RuleList, FoundPolicy>({
  name: 'authorisation_policies.put_rules',
  summary: 'Replaces the rules of a policy. A rule that no policy contains any more is deleted.',
  method: 'PUT',
  paths: ['/api/authorisation_policies/:id/rules'],
  status: 200,
  // One event for each difference instead.
  event: null,
  eventBody: [],
  attributes: Type.Object(
    { authorisation_rules: Type.Array(ruleSchema, { maxItems: 1_000 }) },
    { additionalProperties: false },
  ),
  answers: 'authorisation_policy',
  find: findPolicy,
  needs: ({ policy }, { attributes }, actor) => {
    const wanted = attributes.authorisation_rules?.map(ruleFrom)
    return needsOfPolicy(writesOf(differenceOfRules(policy.rules, wanted ?? policy.rules)), actor)
  },
  refuse: takesNoRules,
  run: async (context, { policy }, { attributes }) => {
    const { removed, added } = differenceOfRules(policy.rules, attributes.authorisation_rules.map(ruleFrom))
    if (removed.length + added.length === 0) return unchanged(policy.id)
    // An unchanged rule is not checked again.
    const isNew = ({ path }: { path: string }) => added.some(rule => rule.path === path)
    refuseUnmatchable(writtenPaths(attributes.authorisation_rules).filter(isNew))
    for (const rule of removed) await takeOut(context, policy.id, rule)
    for (const rule of added) await addNewRule(context, policy.id, rule)
    return written(context, policy.id)
  },
})

interface RuleDifference {
  readonly kept: readonly StoredRule[]
  readonly removed: readonly StoredRule[]
  readonly added: readonly NewRule[]
}

/**
 * Rules are the same when they have the same content: a changed rule is another one, because policies may share a rule.
 * Pure.
 */
function differenceOfRules(now: readonly StoredRule[], wanted: readonly NewRule[]): RuleDifference {
  const left = Map.groupBy(now, wordsOf)
  const added = wanted.filter(rule => left.get(wordsOf(rule))?.pop() === undefined)
  const removed = [...left.values()].flat()
  return { kept: now.filter(rule => !removed.includes(rule)), removed, added }
}

const wordsOf = ({ path, name, read, update, execute, delete: remove }: NewRule): string =>
  JSON.stringify([path, name, read, update, execute, remove])

/** A rule that replaces another on its path is a change of that one: keeping a denial needs no right. */
function writesOf({ kept, removed, added }: RuleDifference): Write[] {
  const replacing = [...added]
  const changes = removed.map(before => {
    const at = replacing.findIndex(({ path }) => path === before.path)
    const [after] = at < 0 ? [] : replacing.splice(at, 1)
    return after ? { before, after } : { before }
  })
  return [...changes, ...[...replacing, ...kept].map(after => ({ after }))]
}

async function takeOut(context: Context, policyId: string, rule: StoredRule): Promise<void> {
  const { tx, actor } = context
  const { id } = (await deletePolicyRule(tx, policyId, rule.id))!
  await recordTie(context, 'destroy', { id, policyId, ruleId: rule.id })
  if (await deleteUnheldRule(tx, rule.id))
    await context.record({ type: 'api:authorisation_rules:destroy', actor, ...aboutRule(rule.id, rule) })
}

interface AssignmentList {
  assignments: AssigneeAttributes[]
}

const putAssignments = command<AssignmentList, FoundPolicy>({
  name: 'authorisation_policies.put_assignments',
  summary: 'Replaces the assignments of a policy.',
  method: 'PUT',
  paths: ['/api/authorisation_policies/:id/assignments'],
  status: 200,
  event: null,
  eventBody: [],
  attributes: Type.Object(
    { assignments: Type.Array(assigneeSchema, { maxItems: 1_000 }) },
    { additionalProperties: false },
  ),
  answers: 'authorisation_policy',
  find: findPolicy,
  needs: ({ policy }, _request, actor): Need[] => [
    ...needsToAssign(policy, actor, 'before'),
    ...needsToAssign(policy, actor, 'after'),
  ],
  run: async (context, { policy }, { attributes }) => {
    const { tx, actor } = context
    const left = new Map((await assignmentsOf(tx, policy.id)).map(each => [assigneeKey(each), each]))
    const made: Assignee[] = []
    const named = new Set<string>()
    for (const [at, assignee] of attributes.assignments.entries()) {
      const to = await resolveAssignees(tx, assignee, `/data/attributes/assignments/${at}`)
      const isNew = !named.has(assigneeKey(to)) && !left.delete(assigneeKey(to))
      named.add(assigneeKey(to))
      if (!isNew) continue
      checkAssignee(actor, to)
      made.push(to)
    }
    if (left.size + made.length === 0) return unchanged(policy.id)
    for (const { id, ...assignee } of left.values()) {
      await deleteAssignment(tx, id)
      await recordAssignment(context, 'destroy', id, policy.id, assignee)
    }
    for (const to of made) {
      const id = (await insertAssignment(tx, policy.id, to, actor))!
      await recordAssignment(context, 'create', id, policy.id, to)
    }
    if (policy.system) await keepLastSuperuser(tx)
    return written(context, policy.id)
  },
})

const assigneeKey = ({ userId, groupname }: Assignee): string =>
  JSON.stringify([userId, groupname && foldedName(groupname)])

async function written({ tx }: Context, id: string): Promise<Outcome> {
  await touchPolicy(tx, id)
  return done({ id, event: {} })
}

export const policyListCommands: AnyCommand[] = [putRules, putAssignments]
