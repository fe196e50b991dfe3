import type { Queries } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { groupsOfUser } from '../users/index.ts'
import { asksForGroups, type Creator } from './change-tree.ts'

/** Who makes a change, with their groups as the directory last told them, where the rules of these settings ask for any. */
export async function creatorWithGroups(
  queries: Queries,
  settings: JsonObject,
  { userId, username }: { readonly userId: string | null; readonly username: string },
): Promise<Creator> {
  const groupnames = userId !== null && asksForGroups(settings) ? await groupsOfUser(queries, userId) : []
  return { username, groupnames }
}
