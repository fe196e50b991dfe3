import { inBatches } from '#platform/db/batches.ts'
import { sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { areGone, deleteWork } from '../runners/index.ts'
import { isAwaited } from './store/workflow-news.store.ts'

const together = 50

/**
 * Deletes the ended activities of destroyed nodes and their runners, with all of their data. Steps are deleted leaves
 * first, and in batches: one activity may have ten thousand.
 *
 * @returns nodes of which an activity has not ended, or has not been reported to the run that created it
 */
export async function deleteActivitiesOfNodes(runtime: Runtime, nodes: readonly string[]): Promise<string[]> {
  const { database, stopping } = runtime
  for (;;) {
    stopping.throwIfAborted()
    const ended = await database.rows(sql<{ id: string }>`
      select id
        from activities a
       where node_id = any(${[...nodes]}::uuid[]) and final
         and ${areGone(sql`r.activity_id = a.id`)} and not ${isAwaited}
       limit ${together}`)
    if (ended.length === 0) break
    const ids = ended.map(({ id }) => id)
    await deleteWork(runtime, ids)
    await inBatches(stopping, most =>
      database.count(sql`
        delete from steps
         where id in (select id from steps
                       where activity_id = any(${ids}::uuid[]) and parent_id is not null
                       order by activity_id desc, tree_order desc
                       limit ${most})`),
    )
    // Deletes the roots, and with them their changes.
    await database.count(sql`delete from activities where id = any(${ids}::uuid[])`)
  }
  const kept = await database.rows(sql<{ node_id: string }>`
    select distinct node_id from activities where node_id = any(${[...nodes]}::uuid[])`)
  return kept.map(({ node_id }) => node_id)
}
