import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { isCalled, isSameName } from '../users/index.ts'
import type { Rule } from './decide.ts'
import type { GrantedRules } from './explain.ts'
import { placeOfRule, policyIsReadable } from './policy.resource.ts'
import { assignedTo, grantedTo } from './rights.store.ts'

/** Rule in force for a user, with the parts that the caller may read. */
export interface RuleInForce extends Rule {
  id: string
  name: string | null
  readable: boolean
  /** Policies that put the rule in force and that the caller may read. */
  policies: { id: string; name: string }[]
}

export type GrantedToUser = GrantedRules<RuleInForce> & { id: string; username: string }

/**
 * Rules that decide the requests of a user (`grantedTo`), with their origin, read by one statement.
 *
 * @throws Failure `missing`: a caller who may ask about others may know which users exist
 */
export async function grantedRules(queries: Queries, username: string, actor: Actor): Promise<GrantedToUser> {
  const self = isSameName(username, actor.username)
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
  if (!row) throw failure('missing', `There is no user ${username}.`, { source: { parameter: 'username' } })
  const { superuser, blocked } = fromJson(row.granted) as { superuser: boolean; blocked: boolean }
  return { id: row.id, username: row.username, disabled: row.disabled, superuser, blocked, rules: row.rules }
}
