import Type from 'typebox'
import { fromJson } from '#json/from-json.ts'
import type { Actor, Right } from '#platform/actor.ts'
import type { Target } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { isCalled, isSameName, onlyPeople } from '../users/index.ts'
import type { Rule } from './decide.ts'
import { type Explained, explain, type GrantedRules } from './explain.ts'
import { placeOfRule, policyIsReadable } from './policy.resource.ts'
import { assignedTo, grantedTo } from './rights.store.ts'
import { policiesPathOf } from './rule.ts'

/** Rule in force for a user, with the parts that the caller may read. */
interface RuleInForce extends Rule {
  id: string
  name: string | null
  readable: boolean
  /** Policies that put the rule in force and that the caller may read. */
  policies: { id: string; name: string }[]
}

interface Asked extends Target {
  username: string
  right: Right
  path: string
  /** Whether the caller asks about themselves, which needs no right. */
  self: boolean
}

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
      schema: Type.String({
        pattern: '^/$|^(?:/[^/*\\u0000-\\u001f\\u007f]{1,255}){1,16}$',
        shouldBe: 'a path such as /projects/bank/environments/live, without * and without a / at its end',
      }),
      describe: 'Path to check the right on, such as /projects/bank/environments/live.',
      required: true,
    },
    right: {
      schema: Type.Enum(['read', 'update', 'execute', 'delete']),
      describe: 'read, update, execute or delete.',
      required: true,
    },
    username: {
      schema: Type.String({ minLength: 1, maxLength: 255 }),
      describe: 'User to check; default the caller. Checking others requires read on the policies of the path.',
    },
  },
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('authorisation_check'),
      attributes: Type.Object({
        username: Type.String(),
        right: Type.String(),
        path: Type.String(),
        allowed: Type.Boolean(),
        decided_by: Type.Enum([...decidedBy]),
        reason: Type.String(),
        authorisation_rules: Type.Array(rule),
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
    const found = await grantedRules(database, asked, actor)
    // A caller who may ask about others may know which users exist.
    if (!found) throw failure('missing', `There is no user ${asked.username}.`, { source: { parameter: 'username' } })
    const { right, path } = asked
    const seesAll = actor.rights.may('read', policiesPathOf(path))
    const explained = explain(found, right, path)
    const attributes = { username: found.username, right, path, ...shown(explained, seesAll) }
    return { body: { data: { id: found.id, type: 'authorisation_check', attributes } } }
  },
})

/**
 * Visible part of an explanation. For a caller who may not read the policies of the path, "no rule" and "a rule that
 * you may not read" look alike: whether there are rules about a path reveals whether something exists there.
 */
function shown({ allowed, decidedBy, rules, reason }: Explained<RuleInForce>, seesAll: boolean) {
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
    authorisation_rules: readable.map(({ readable: _, policies, ...each }) => ({
      ...each,
      authorisation_policies: policies,
    })),
  }
}

type Found = GrantedRules<RuleInForce> & { id: string; username: string }

/** Rules that decide a request of theirs (`grantedTo`), with their origin, read by one statement. */
async function grantedRules(queries: Queries, { username, self }: Asked, actor: Actor): Promise<Found | undefined> {
  const mine = assignedTo(sql`u.id`, sql`u.groupnames`)
  const row = await queries.one(sql<{
    id: string
    username: string
    disabled: boolean
    granted: string
    rules: RuleInForce[]
  }>`
    select u.id, u.username, u.disabled,
           ${grantedTo({ id: sql`u.id`, groupnames: sql`u.groupnames` })} as granted,
           (select coalesce(json_agg(in_force order by in_force.id), '[]')
              from (select r.id, r.path, r.name, r.read, r.update, r.execute, r.delete,
                           coalesce(${actor.rights.visible(placeOfRule('r'))}, false) as readable,
                           (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
                              from authorisation_policies p
                             where exists (select from policy_rules pr where pr.policy_id = p.id and pr.rule_id = r.id)
                               and exists (select from policy_assignments a where a.policy_id = p.id and ${mine})
                               and ${policyIsReadable(sql`p.id`)(actor)}) as policies
                      from authorisation_rules r
                     where r.id in (select pr.rule_id
                                      from policy_rules pr
                                      join policy_assignments a on a.policy_id = pr.policy_id
                                     where ${mine})) in_force) as rules
      from users u
     where ${self ? sql`u.id = ${actor.userId}::uuid` : isCalled(sql`u.username`, username)}
       and u.deleted_at is null`)
  if (!row) return undefined
  const { superuser, blocked } = fromJson(row.granted) as { superuser: boolean; blocked: boolean }
  return { id: row.id, username: row.username, disabled: row.disabled, superuser, blocked, rules: row.rules }
}
