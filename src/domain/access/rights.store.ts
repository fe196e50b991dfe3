import { fromJson } from '#json/from-json.ts'
import type { Rights } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { foldedNames, indexedNames, type RightsSource, rightsInScope } from '../users/index.ts'
import { rightsFrom } from './rights.sql.ts'

type Flag = boolean | null
interface GrantedText {
  superuser: boolean
  blocked: boolean
  rules: [path: string, read: Flag, update: Flag, execute: Flag, remove: Flag][]
}

/**
 * Reads and compiles rights. Five thousand rules take ten milliseconds to read and to compile, and callers send many
 * requests: the last 200 results are cached, each under the state of all rights that it was read in. Every write of
 * rights changes that state as well, so a revoked right is gone with the next request.
 */
export function rightsSource(): RightsSource {
  const kept = new Map<string, { state: string; rights: Rights }>()
  return {
    state: rightsState,
    of: async (queries, { id, rightsState: asked }) => {
      const known = kept.get(id)
      if (known?.state === asked) return known.rights
      const found = await queries.one(grantedIn(id))
      if (!found) return nobody
      const rights = compiled(found.granted)
      kept.delete(id)
      if (kept.size >= 200) kept.delete(kept.keys().next().value!)
      kept.set(id, { state: found.state, rights })
      return rights
    },
  }
}

const rightsState = ({ groupnames }: { groupnames: Sql }): Sql<string> => sql<string>`
  (select moved.epoch::text || ' ' || ${groupnames}::text from rights_epoch moved)`

const grantedIn = (userId: string) => sql<{ granted: string; state: string }>`
  select ${grantedTo({ id: sql`u.id`, groupnames: sql`u.groupnames` })} as granted,
         ${rightsState({ groupnames: sql`u.groupnames` })} as state
    from users u
   where u.id = ${userId}::uuid and not u.disabled and u.deleted_at is null`

const nobody = rightsFrom({ superuser: false, blocked: true, rules: [] })

function compiled(granted: string): Rights {
  const { superuser, blocked, rules } = fromJson(granted) as GrantedText
  return rightsFrom({
    superuser,
    blocked,
    rules: rules.map(([path, read, update, execute, remove]) => ({ path, read, update, execute, delete: remove })),
  })
}

/**
 * The current rights of a user, for decisions without a request of theirs (the next check of a live stream, a
 * schedule).
 */
export async function rightsOf(queries: Queries, userId: string): Promise<Rights> {
  const found = await queries.one(grantedIn(userId))
  return found ? compiled(found.granted) : nobody
}

/**
 * The current rights of the creator of stored work, limited to the project of the work, if it has one.
 *
 * @param scopeProjectId see `Actor.scopeProjectId`; if its project is gone, no rights remain
 */
export async function rightsOfCreator(
  queries: Queries,
  userId: string,
  scopeProjectId: string | null,
): Promise<Rights> {
  const rights = await rightsOf(queries, userId)
  if (scopeProjectId === null) return rights
  const project = await queries.one(sql<{ path: string }>`
    select path from nodes where id = ${scopeProjectId}::uuid and destroyed_at is null`)
  return project ? rightsInScope(rights, { projectId: scopeProjectId, projectPath: project.path }) : nobody
}

/**
 * Whether this user, given by a column or a value, is a superuser now. Admission under superuser_override checks the
 * creator.
 */
export const isSuperuser = (userId: Sql): Sql<boolean> => sql<boolean>`
  exists (select from users candidate where candidate.id = ${userId} and ${isOne(sql`candidate`)})`

/** All current superusers: all users are read only if the policy is assigned to everyone. */
export const superusers = (): Sql<{ id: string }> => sql<{ id: string }>`
  ${superusersByName()}
  union
  ${superusersByGroup()}
  union
  ${superusersAsAll()}`

/** Whether there is any superuser; each way to be one is only checked if the ones before yield no user. */
export const isAnySuperuser = (): Sql<boolean> => sql<boolean>`
  (exists (${superusersByName()}) or exists (${superusersByGroup()}) or exists (${superusersAsAll()}))`

const superusersByName = (): Sql => sql`
  select u.id
    from users u
   where u.id in (select a.assignee_id from ${superuserGrants})
     and ${isOne(sql`u`)}`

const superusersByGroup = (): Sql => sql`
  select u.id
    from users u
   where ${indexedNames(sql`u.groupnames`)} && array(
           select lower(a.groupname) from ${superuserGrants} and a.assignee_id is null and a.groupname is not null)
     and ${isOne(sql`u`)}`

const superusersAsAll = (): Sql => sql`
  select u.id
    from users u
   where exists (select from ${superuserGrants} and a.assignee_id is null and a.groupname is null)
     and ${isOne(sql`u`)}`

const superuserGrants = sql`
  policy_assignments a join authorisation_policies p on p.id = a.policy_id where p.system = 'superuser'`

/** Whether a row of users is a superuser. */
const isOne = (user: Sql): Sql<boolean> => sql<boolean>`
  (not ${user}.disabled and ${user}.deleted_at is null
   and ${holds('superuser', sql`${user}.id`, sql`${user}.groupnames`)}
   and not ${holds('blocked', sql`${user}.id`, sql`${user}.groupnames`)})`

export function grantedTo({ id, groupnames }: { id: Sql; groupnames: Sql }): Sql<string> {
  const mine = assignedTo(id, groupnames)
  return sql<string>`
    (select json_build_object(
              'superuser', system.superuser,
              'blocked', system.blocked,
              'rules', case when system.superuser or system.blocked then '[]' else coalesce((
                 select json_agg(json_build_array(r.path, r.read, r.update, r.execute, r.delete) order by r.id)
                   from authorisation_rules r
                  where r.id in (select pr.rule_id
                                   from policy_rules pr
                                   join policy_assignments a on a.policy_id = pr.policy_id
                                  where ${mine})), '[]') end)::text
       from (select coalesce(bool_or(p.system = 'superuser'), false) as superuser,
                    coalesce(bool_or(p.system = 'blocked'), false) as blocked
               from policy_assignments a
               join authorisation_policies p on p.id = a.policy_id
              where ${mine} and p.system is not null) system)`
}

function holds(system: 'superuser' | 'blocked', id: Sql, groupnames: Sql): Sql {
  return sql`
    exists (select from policy_assignments a
              join authorisation_policies p on p.id = a.policy_id
             where p.system = ${system} and ${assignedTo(id, groupnames)})`
}

/**
 * Condition on an assignment: to that user, to a group of theirs (names as `isSameName` compares them), to both, or to
 * everyone.
 */
export const assignedTo = (id: Sql, groupnames: Sql): Sql => sql`
  ((a.assignee_id is null or a.assignee_id = ${id}) and (a.groupname is null or
     lower(a.groupname) = any(${foldedNames(groupnames)})))`
