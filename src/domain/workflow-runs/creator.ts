import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { rightsOf } from '../access/index.ts'
import { groupsOfUser } from '../users/index.ts'

/**
 * Whoever made a run, with the rights and groups that they have now: what its steps make is made in their name.
 *
 * @throws Failure `forbidden` of a user who is gone
 */
export async function creatorOf(
  queries: Queries,
  { user_id, created_by }: { readonly user_id: string | null; readonly created_by: string },
): Promise<Actor> {
  if (user_id === null) throw failure('forbidden', `${created_by} is no user any more.`)
  const rights = await rightsOf(queries, user_id)
  const groupnames = await groupsOfUser(queries, user_id)
  return { userId: user_id, username: created_by, rights, groupnames, via: 'system', remoteAddress: null }
}
