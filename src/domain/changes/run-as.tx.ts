import type { Queries } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { groupsOfUser } from '../users/index.ts'
import { asksForGroups, type Creator } from './change-tree.ts'

/** Creator of a change, with their groups as last read from the directory, if the rules of these settings need any. */
export async function creatorWithGroups(
  queries: Queries,
  settings: JsonObject,
  { userId, username }: { readonly userId: string | null; readonly username: string },
): Promise<Creator> {
  const groupnames = userId !== null && asksForGroups(settings) ? await groupsOfUser(queries, userId) : []
  return { username, groupnames }
}
