import type { Rights } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { RightsSource } from '../users/index.ts'
import { rightsFrom } from './rights.ts'

type Flag = boolean | null
interface GrantedText {
  superuser: boolean
  blocked: boolean
  rules: [path: string, read: Flag, update: Flag, execute: Flag, remove: Flag][]
}

/**
 * Reads and compiles what is granted. Compiling 5,000 rules takes some milliseconds and the same caller asks again, so
 * the last 200 results are kept, by the text that they were made from: a changed right is another text.
 */
export function rightsSource(): RightsSource {
  const compiled = new Map<string, Rights>()
  return {
    granted: grantedTo,
    compile: text => {
      const known = compiled.get(text)
      if (known) return known
      const { superuser, blocked, rules } = JSON.parse(text) as GrantedText
      const rights = rightsFrom({
        superuser,
        blocked,
        rules: rules.map(([path, read, update, execute, remove]) => ({ path, read, update, execute, delete: remove })),
      })
      if (compiled.size >= 200) compiled.delete(compiled.keys().next().value!)
      compiled.set(text, rights)
      return rights
    },
  }
}

/** The rights that a user has now, for what is decided without a request of theirs (a live stream's next look, a schedule). */
export async function rightsOf(queries: Queries, userId: string): Promise<Rights> {
  const found = await queries.one(sql<{ granted: string }>`
    select ${grantedTo({ id: sql`u.id`, groupnames: sql`u.groupnames` })} as granted
      from users u
     where u.id = ${userId} and not u.disabled and u.deleted_at is null`)
  return found ? rightsSource().compile(found.granted) : rightsFrom({ superuser: false, blocked: true, rules: [] })
}

/** Is this user, given by a column or a value, a superuser now? Admission under superuser_override asks it of the creator. */
export const isSuperuser = (userId: Sql): Sql<boolean> => sql<boolean>`
  exists (select from users candidate
           where candidate.id = ${userId} and not candidate.disabled and candidate.deleted_at is null
             and ${holds('superuser', sql`candidate.id`, sql`candidate.groupnames`)}
             and not ${holds('blocked', sql`candidate.id`, sql`candidate.groupnames`)})`

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

/** To that user, to a group of theirs, to both, or to everyone. */
export const assignedTo = (id: Sql, groupnames: Sql): Sql => sql`
  ((a.assignee_id is null or a.assignee_id = ${id}) and (a.groupname is null or a.groupname = any(${groupnames})))`
