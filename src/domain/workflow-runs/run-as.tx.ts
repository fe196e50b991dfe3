import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { rightsOfCreator } from '../access/index.ts'
import { groupsOfUser } from '../users/index.ts'
import type { StoredRun } from './run.store.ts'

/**
 * Actor for the children of a run: its creator, with their current rights and groups. If the token of a step created
 * the run, rights end at its project, also for all of its children.
 *
 * @throws Failure `forbidden` if the user is gone
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
