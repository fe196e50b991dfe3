import type { Context } from '#platform/commands/command.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Job } from '#platform/domain.ts'
import { type LateTreeParts, requestCancel } from '../steps/index.ts'
import { unfinishedOfNodes } from './change.store.ts'

/**
 * Enqueues a job that cancels what still runs on destroyed nodes: each activity in a transaction of its own, because
 * one transaction may lock one activity only.
 */
export async function cancelOnDestroy({ enqueue, actor }: Context, ids: readonly string[]): Promise<void> {
  await enqueue('changes.cancel_on_destroyed', { ids, by: { userId: actor.userId, username: actor.username } })
}

export const cancelJob = (engine: LateTreeParts): Job => ({
  name: 'changes.cancel_on_destroyed',
  run: async ({ ids, by }: { ids: string[]; by: { userId: string | null; username: string } }, { database }) => {
    const unfinished = await unfinishedOfNodes(database, ids)
    const failed: unknown[] = []
    for (const { id } of unfinished) {
      try {
        await database.transaction(tx => requestCancel(engine, tx, id, by))
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        failed.push(error)
      }
    }
    // All others are cancelled, which only this job can still do: for people the node does not exist.
    if (failed.length > 0) throw failed[0]
  },
})
