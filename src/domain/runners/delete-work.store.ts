import type { Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { deleteArtefacts, deleteContents, deleteLines } from '../logs/index.ts'

/**
 * Whether these runners are gone, long enough for their folders to have been removed.
 *
 * @param which over `runners r`
 */
export const areGone = (which: Sql<boolean> | Sql): Sql<boolean> => sql<boolean>`
  not exists (select from runners r
               where ${which} and (r.status <> 'gone' or r.gone_at > sluice_now() - interval '1 minute'))`

/**
 * Deletes the logs, artefacts and runners of ended activities or background tasks that are being deleted.
 *
 * @param ids of activities or tasks
 */
export async function deleteWork(runtime: Runtime, ids: readonly string[]): Promise<void> {
  const given = sql`${[...ids]}::uuid[]`
  await deleteLines(runtime, ids)
  await deleteArtefacts(runtime, ids)
  await runtime.database.count(sql`delete from runners where activity_id = any(${given}) or task_id = any(${given})`)
}

/**
 * Detaches the runners of an activity that is about to be deleted: their rows remain until their folders are gone.
 *
 * @returns whether all of them have ended
 */
export async function detachRunners(tx: Tx, activityId: string): Promise<boolean> {
  const left = await tx.one(sql`
    select from runners where activity_id = ${activityId}::uuid and status <> 'gone' limit 1`)
  if (left) return false
  await tx.count(sql`update runners set activity_id = null where activity_id = ${activityId}::uuid`)
  return true
}

/** Deletes the log of a purged activity, and the contents of its artefacts that no other artefact has. */
export async function deletePurgedData(
  runtime: Runtime,
  { id, contents }: { readonly id: string; readonly contents: readonly string[] },
): Promise<void> {
  await deleteWork(runtime, [id])
  await deleteContents(runtime, contents)
}
