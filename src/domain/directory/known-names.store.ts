import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'
import type { ApproverNames, KnownApprovers } from '../settings/index.ts'
import { folded } from '../users/index.ts'
import { type DirectoryConnection, DirectoryError } from './connection.ts'
import type { Refreshing } from './directory.jobs.ts'
import { withDirectory } from './ldap.adapter.ts'

/**
 * Finds which of these names are users or groups: known here or, for the others, in the directory now. The directory is
 * queried between two attempts of the transaction, so that nothing waits for a lock meanwhile.
 */
export const knownApprovers =
  ({ connection, authorities }: Refreshing) =>
  async (tx: Tx, names: ApproverNames): Promise<KnownApprovers> => {
    const here = await unknownHere(tx, names)
    if (here.user_names.length + here.ldap_groups.length === 0) return { unknown: here }
    try {
      const directory = await connection(tx)
      if (!directory) return { unknown: here }
      const told = await tx.external(`names in the directory: ${JSON.stringify(here)}`, () =>
        unknownThere(directory, authorities, here),
      )
      return { unknown: told, uncounted: here.ldap_groups.filter(name => !told.ldap_groups.includes(name)) }
    } catch (error) {
      if (error instanceof DirectoryError) return { unreachable: error.message, unknown: here }
      throw error
    }
  }

/** Names that are neither users nor groups known here. */
export async function unknownHere(
  queries: Queries,
  { user_names, ldap_groups }: ApproverNames,
): Promise<ApproverNames> {
  return (await queries.one(sql<ApproverNames>`
    select array(select name from unnest(${[...user_names]}::text[]) as given (name)
                  where not exists (select from users u
                                     where lower(u.username) = ${folded(sql`given.name`)} and u.deleted_at is null)) as user_names,
           array(select name from unnest(${[...ldap_groups]}::text[]) as given (name)
                  where not exists (select from directory_groups g
                                     where lower(g.groupname) = ${folded(sql`given.name`)})) as ldap_groups`))!
}

const unknownThere = (
  directory: DirectoryConnection,
  authorities: string | undefined,
  { user_names, ldap_groups }: ApproverNames,
): Promise<ApproverNames> =>
  withDirectory(directory, authorities, async open => {
    const people: string[] = []
    for (const name of user_names) people.push(...(await open.people(name)).map(({ username }) => foldedName(username)))
    const groups = ldap_groups.length === 0 ? [] : (await open.groups()).map(({ name }) => foldedName(name))
    return {
      user_names: user_names.filter(name => !people.includes(foldedName(name))),
      ldap_groups: ldap_groups.filter(name => !groups.includes(foldedName(name))),
    }
  })
