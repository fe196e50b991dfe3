import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { rightsOfCreator } from '../access/index.ts'
import { groupsOfUser } from '../users/index.ts'
import type { StoredRun } from './run.store.ts'

/**
 * Whoever made a run, with the rights and groups that they have now: what its steps make is made in their name. Rights
 * end at the run's project where the token of a step created it, and so do those of all that it makes.
 *
 * @throws Failure `forbidden` of a user who is gone
 */
export async function creatorAsActor(
  queries: Queries,
  { user_id, created_by, scope_project_id }: Pick<StoredRun, 'user_id' | 'created_by' | 'scope_project_id'>,
): Promise<Actor> {
  if (user_id === null) throw failure('forbidden', `${created_by} is no user any more.`)
  const rights = await rightsOfCreator(queries, user_id, scope_project_id)
  const groupnames = await groupsOfUser(queries, user_id)
  return {
    userId: user_id,
    username: created_by,
    rights,
    groupnames,
    via: 'system',
    remoteAddress: null,
    ...(scope_project_id !== null && { scopeProjectId: scope_project_id }),
  }
}
