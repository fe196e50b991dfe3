import Type from 'typebox'
import type { Right } from '#platform/actor.ts'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { isSameName, onlyPeople } from '../users/index.ts'
import { type Explained, explain } from './explain.ts'
import { grantedRules, type RuleInForce } from './granted-rules.store.ts'
import { policiesPathOf } from './rule.ts'

interface Asked extends Target {
  username: string
  right: Right
  path: string
  /** Whether the caller asks about themselves, which needs no right. */
  self: boolean
}

export const checkedPath = Type.String({
  pattern: '^/$|^(?:/[^/*\\u0000-\\u001f\\u007f]{1,255}){1,16}$',
  shouldBe: 'a path such as /projects/bank/environments/live, without * and without a / at its end',
})
export const checkedRight = Type.Enum(['read', 'update', 'execute', 'delete'])
export const checkedUser = Type.String({ minLength: 1, maxLength: 255 })

const flag = Type.Union([Type.Boolean(), Type.Null()])
const rule = Type.Object({
  id: Type.String(),
  path: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  read: flag,
  update: flag,
  execute: flag,
  delete: flag,
  authorisation_policies: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
})
const decidedBy = ['disabled', 'blocked', 'superuser', 'rule', 'no_rule', 'hidden'] as const

/** Decision about a right on a path, with the rules that decided it. */
export const explanation = {
  right: Type.String(),
  path: Type.String(),
  allowed: Type.Boolean(),
  decided_by: Type.Enum([...decidedBy]),
  reason: Type.String(),
  authorisation_rules: Type.Array(rule, { description: 'Rules that decided, all of one path.' }),
  other_rules: Type.Array(Type.Object({ ...rule.properties, reason: Type.String() }), {
    description: 'Other rules that match the path, and why they did not decide.',
  }),
}

/**
 * View that explains why a user may or may not do something: the decision that every request gets, with the deciding
 * rules and their policies. Rules and policies that the caller may not read are shown as "hidden".
 */
export const authorisationCheck: AnyView = view<Asked>({
  name: 'authorisation_check.show',
  summary: 'Whether a user has a right on a path, and the rule and policy that decide it.',
  method: 'GET',
  paths: ['/api/authorisation_check'],
  parameters: {
    path: {
      schema: checkedPath,
      describe: 'Path to check the right on, such as /projects/bank/environments/live.',
      required: true,
    },
    right: {
      schema: checkedRight,
      describe: 'read, update, execute or delete.',
      required: true,
    },
    username: {
      schema: checkedUser,
      describe: 'User to check; default the caller. Checking others requires read on the policies of the path.',
    },
  },
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('authorisation_check'),
      attributes: Type.Object({
        username: Type.String(),
        ...explanation,
      }),
    }),
  }),
  find: async ({ query, actor }) => {
    const asked = (query['username'] as string | undefined) ?? actor.username
    return {
      username: asked,
      self: isSameName(asked, actor.username),
      right: query['right'] as Right,
      path: query['path'] as string,
    }
  },
  // Before the user is looked up: otherwise the refusal would reveal whether the user exists.
  needs: ({ self, path }, { actor }) => [
    ...onlyPeople(actor),
    ...(self ? [] : [{ right: 'read' as const, path: policiesPathOf(path) }]),
  ],
  run: async (asked, { database, actor }: ViewContext) => {
    const found = await grantedRules(database, asked.username, actor)
    const { right, path } = asked
    const seesAll = actor.rights.may('read', policiesPathOf(path))
    const explained = explain(found, right, path)
    const attributes = { username: found.username, right, path, ...shownExplanation(explained, seesAll) }
    return { body: { data: { id: found.id, type: 'authorisation_check', attributes } } }
  },
})

/**
 * Visible part of an explanation. For a caller who may not read the policies of the path, "no rule" and "a rule that
 * you may not read" look alike: whether there are rules about a path reveals whether something exists there.
 */
export function shownExplanation(explained: Explained<RuleInForce>, seesAll: boolean) {
  const { allowed, decidedBy, rules, others, reason } = explained
  const readable = rules.filter(each => each.readable)
  const isHidden = readable.length === 0 && (decidedBy === 'rule' || (decidedBy === 'no_rule' && !seesAll))
  return {
    allowed,
    decided_by: isHidden ? 'hidden' : decidedBy,
    reason: isHidden
      ? allowed
        ? 'A rule that you may not read allows it.'
        : 'No rule that you may read allows it.'
      : reason,
    authorisation_rules: readable.map(shownRule),
    // Why they did not decide would tell of a hidden rule.
    other_rules: isHidden
      ? []
      : others.filter(({ rule }) => rule.readable).map(each => ({ ...shownRule(each.rule), reason: each.reason })),
  }
}

const shownRule = ({ readable: _, policies, ...rule }: RuleInForce) => ({ ...rule, authorisation_policies: policies })
