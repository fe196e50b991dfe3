import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { Failure } from '#platform/failure.ts'
import { rightsOf } from '../access/index.ts'
import { lockUnarchived, type Node } from '../nodes/index.ts'
import { groupsOfUser } from '../users/index.ts'
import type { Schedule } from './schedule.store.ts'
import { executePath } from './schedule-kinds.ts'

/**
 * Actor in whose name a schedule runs, with their current rights; or the reason why it can create nothing any more,
 * regardless of other obstacles.
 */
export async function actorOrHindrance(
  tx: Tx,
  schedule: Schedule,
  node: Node,
): Promise<{ readonly actor: Actor } | { readonly hindrance: string }> {
  const actor = await creatorAsActor(tx, schedule)
  if (!actor) return { hindrance: 'its creator is no user any more' }
  const path = executePath(node.path, schedule)
  if (!actor.rights.may('execute', path)) return { hindrance: `${actor.username} may not execute ${path}.` }
  try {
    await lockUnarchived(tx, node)
    return { actor }
  } catch (error) {
    if (error instanceof Failure) return { hindrance: error.message }
    throw error
  }
}

async function creatorAsActor(tx: Tx, { user_id, created_by }: Schedule): Promise<Actor | undefined> {
  if (user_id === null) return undefined
  return {
    userId: user_id,
    username: created_by,
    rights: await rightsOf(tx, user_id),
    via: 'system',
    remoteAddress: null,
    groupnames: await groupsOfUser(tx, user_id),
  }
}
