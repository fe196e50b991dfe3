import type { Context } from '#platform/commands/command.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Job } from '#platform/domain.ts'
import { blockerLimit } from '../nodes/index.ts'
import { type EngineParts, requestCancel } from '../steps/index.ts'

/** Changes that block archiving a node: those that have not ended. */
export const unfinishedOn = (ids: readonly string[]): Sql<{ id: string; what: string; path: string | null }> => sql<{
  id: string
  what: string
  path: string | null
}>`
  select id, kind as what, path
    from activities
   where node_id = any(${[...ids]}::uuid[]) and not final
   order by number
   limit ${blockerLimit}`

/**
 * Enqueues a job that cancels what still runs on destroyed nodes: each activity in a transaction of its own, because
 * one transaction may lock one activity only.
 */
export async function cancelOnDestroy({ enqueue, actor }: Context, ids: readonly string[]): Promise<void> {
  await enqueue('changes.cancel_on_destroyed', { ids, by: { userId: actor.userId, username: actor.username } })
}

export const cancelJob = (engine: EngineParts): Job => ({
  name: 'changes.cancel_on_destroyed',
  run: async ({ ids, by }: { ids: string[]; by: { userId: string | null; username: string } }, { database }) => {
    const unfinished = await database.rows(sql<{ id: string }>`
      select id from activities where node_id = any(${ids}::uuid[]) and not final order by number`)
    const failed: unknown[] = []
    for (const { id } of unfinished) {
      try {
        await database.transaction(tx => requestCancel(engine, tx, id, by))
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        failed.push(error)
      }
    }
    // All others are cancelled, which only this job can do any more: for people the node does not exist.
    if (failed.length > 0) throw failed[0]
  },
})
