import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { indexedNames } from '../users/index.ts'
import { coveringPaths, likePath } from './access-summary.ts'
import type { Rule } from './decide.ts'
import { placeOfRule, policyIsReadable } from './policy.resource.ts'
import { assignedTo } from './rights.store.ts'

/** Maximum number of rules, and of people, that one answer has. */
export const mostRules = 1_000
export const mostPeople = 200

interface Policy {
  readonly id: string
  readonly name: string
}

interface ReachingRule extends Rule {
  readonly id: string
  readonly name: string | null
  readonly readable: boolean
  readonly authorisation_policies: readonly Policy[]
}

interface Reached {
  readonly username: string
  readonly superuser: boolean
  readonly blocked: boolean
  /** All of the rules that they have, whether or not the caller may read them. */
  readonly rule_ids: readonly string[]
  /** Policies that the caller may read. */
  readonly authorisation_policies: readonly Policy[]
}

/** Rules that decide about a node, to whom they are assigned, and whom they reach. */
export interface Reaching {
  readonly rules: readonly ReachingRule[]
  readonly assignments: readonly {
    readonly authorisation_policy_id: string
    readonly username: string | null
    readonly groupname: string | null
  }[]
  readonly people: readonly Reached[]
  readonly more_rules: boolean
  readonly more_people: boolean
}

/**
 * Reads the rules that decide about a node by one statement: those of the paths that cover it or its actions, each looked
 * up by the index of paths, and those on single actions. People are found by the indexes of assignees and groups.
 */
export async function rulesReaching(queries: Queries, path: string, actor: Actor): Promise<Reaching> {
  const actions = `${path}/actions`
  const row = await queries.one(sql<{
    rules: ReachingRule[]
    assignments: Reaching['assignments']
    people: Reached[]
  }>`
    with covering as materialized (
      select found.id
        from (select r.id from authorisation_rules r where r.path = any(${coveringPaths(actions)}::text[])
               union
              select r.id
                from unnest(${likePath(actions)}::text[]) beginning(path)
                join authorisation_rules r on r.path >= (beginning.path || '/') collate "C"
                                          and r.path < (beginning.path || '0') collate "C") found
       limit ${mostRules + 1}),
    reaching as materialized (
      select p.id, p.name, p.system, ${policyIsReadable(sql`p.id`)(actor)} as readable
        from authorisation_policies p
       where p.system is not null
          or p.id in (select pr.policy_id from policy_rules pr where pr.rule_id in (select id from covering))),
    assigned as materialized (
      select a.policy_id, a.assignee_id, a.groupname
        from policy_assignments a
       where a.policy_id in (select id from reaching)),
    reached as materialized (
      select found.id, found.username, found.groupnames
        from ((select u.id, u.username, u.groupnames
                 from users u
                where u.id in (select assignee_id from assigned) and not u.disabled and u.deleted_at is null
                order by u.username
                limit ${mostPeople + 1})
               union
              (select u.id, u.username, u.groupnames
                 from users u
                where ${indexedNames(sql`u.groupnames`)} && array(
                        select lower(groupname) from assigned where assignee_id is null and groupname is not null)
                  and not u.disabled and u.deleted_at is null
                order by u.username
                limit ${mostPeople + 1})
               union
              (select u.id, u.username, u.groupnames
                 from users u
                where exists (select from assigned where assignee_id is null and groupname is null)
                  and not u.disabled and u.deleted_at is null
                order by u.username
                limit ${mostPeople + 1})) found
       where exists (select from assigned a where ${assignedTo(sql`found.id`, sql`found.groupnames`)})
       order by found.username
       limit ${mostPeople + 1})
    select (select coalesce(json_agg(shown order by shown.path, shown.id), '[]')
              from (select r.id, r.path, r.name, r.read, r.update, r.execute, r.delete,
                           coalesce(${actor.rights.visible(placeOfRule('r'))}, false) as readable,
                           (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
                              from reaching p
                              join policy_rules pr on pr.policy_id = p.id
                             where pr.rule_id = r.id and p.readable) as authorisation_policies
                      from authorisation_rules r
                     where r.id in (select id from covering)) shown) as rules,
           (select coalesce(json_agg(json_build_object('authorisation_policy_id', a.policy_id, 'username', u.username,
                                                       'groupname', a.groupname)
                                     order by u.username nulls last, a.groupname nulls last), '[]')
              from (select * from assigned limit ${mostRules}) a
              join reaching p on p.id = a.policy_id and p.readable
              left join users u on u.id = a.assignee_id) as assignments,
           (select coalesce(json_agg(json_build_object(
                       'username', person.username,
                       'superuser', person.superuser,
                       'blocked', person.blocked,
                       'authorisation_policies', person.policies,
                       'rule_ids', person.rule_ids) order by person.username), '[]')
              from (select u.username, coalesce(bool_or(p.system = 'superuser'), false) as superuser,
                           coalesce(bool_or(p.system = 'blocked'), false) as blocked,
                           coalesce(json_agg(distinct jsonb_build_object('id', p.id, 'name', p.name))
                                      filter (where p.readable), '[]') as policies,
                           (select coalesce(json_agg(distinct pr.rule_id), '[]')
                              from policy_rules pr
                              join assigned a on a.policy_id = pr.policy_id
                             where pr.rule_id in (select id from covering)
                               and ${assignedTo(sql`u.id`, sql`u.groupnames`)}) as rule_ids
                      from reached u
                      join assigned a on ${assignedTo(sql`u.id`, sql`u.groupnames`)}
                      join reaching p on p.id = a.policy_id
                     group by u.id, u.username, u.groupnames) person) as people`)
  const { rules, assignments, people } = row!
  const hasMore = rules.length > mostRules
  return {
    rules: rules.slice(0, mostRules),
    assignments,
    people: hasMore ? [] : people.slice(0, mostPeople),
    more_rules: hasMore,
    more_people: people.length > mostPeople,
  }
}
