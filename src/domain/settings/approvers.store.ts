import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'
import { foldedNames } from '../users/index.ts'

/**
 * Counts the people of these names and groups. People that only the directory knows are counted by their names, from
 * groups at most the requested number, and without those who may not sign in.
 */
export async function peopleOf(
  tx: Tx,
  { user_names, ldap_groups }: { readonly user_names: readonly string[]; readonly ldap_groups: readonly string[] },
  most: number,
): Promise<number> {
  const row = await tx.one(sql<{ people: number }>`
    select count(*)::int as people
      from (select unnest(${user_names.map(foldedName)}::text[])
            except
            select lower(username) from users
             where disabled and lower(username) = any(${user_names.map(foldedName)}::text[])
            union
            (select lower(u.username) from users u
              where u.deleted_at is null and not u.disabled
                and ${foldedNames(sql`u.groupnames`)} && ${ldap_groups.map(foldedName)}::text[]
              limit ${most})) as people`)
  return row!.people
}
