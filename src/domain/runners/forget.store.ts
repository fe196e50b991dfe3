import { inBatches } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { holdNamed } from '#platform/db/locks.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Around } from '#platform/domain.ts'

/**
 * Whether the runners of something are gone, and long enough for their folders to have been removed by their rows.
 *
 * @param which over `runners r`
 */
export const areGone = (which: Sql<boolean> | Sql): Sql<boolean> => sql<boolean>`
  not exists (select from runners r
               where ${which} and (r.status <> 'gone' or r.gone_at > sluice_now() - interval '1 minute'))`

/**
 * Deletes the logs, the artefacts and the runners of activities or background tasks that are over and are to be forgotten.
 *
 * @param ids of activities or tasks
 */
export async function forgetWork({ database, stopping }: Around, ids: readonly string[]): Promise<void> {
  const given = sql`${[...ids]}::uuid[]`
  await inBatches(stopping, most =>
    database.count(sql`
      delete from log_chunks
       where (step_id, attempt, first_seq) in (select step_id, attempt, first_seq from log_chunks
                                                where activity_id = any(${given}) limit ${most})`),
  )
  await inBatches(stopping, most => forgetArtefacts(database, ids, most), 20)
  await database.count(sql`delete from runners where activity_id = any(${given}) or task_id = any(${given})`)
}

/**
 * Lets go of the runners of an activity that is about to be deleted: their rows stay until their folders are gone.
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

/** The hashes of what the artefacts of an activity hold. */
export const contentsOf = async (tx: Tx, activityId: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ sha256: string }>`
      select distinct sha256 from artefacts where activity_id = ${activityId}::uuid order by sha256`)
  ).map(({ sha256 }) => sha256)

/** Deletes the log of a purged activity, and those of the contents of its artefacts that no other artefact has. */
export async function forgetPurged(
  around: Around,
  { id, contents }: { readonly id: string; readonly contents: readonly string[] },
): Promise<void> {
  await forgetWork(around, [id])
  for (const sha256 of contents) await around.database.transaction(tx => forgetContent(tx, sha256))
}

/** A content goes with the last artefact that has it; nobody keeps the same one meanwhile (`keepArtefact`). */
const forgetArtefacts = (database: Around['database'], ids: readonly string[], most: number): Promise<number> =>
  database.transaction(async tx => {
    const gone = await tx.rows(sql<{ sha256: string }>`
      delete from artefacts
       where id in (select id from artefacts where activity_id = any(${[...ids]}::uuid[]) limit ${most})
      returning sha256`)
    for (const sha256 of new Set(gone.map(each => each.sha256).toSorted())) await forgetContent(tx, sha256)
    return gone.length
  })

async function forgetContent(tx: Tx, sha256: string): Promise<void> {
  await holdNamed(tx, `artefacts:${sha256}`)
  await tx.count(sql`
    delete from artefact_chunks c
     where c.sha256 = ${sha256} and not exists (select from artefacts a where a.sha256 = c.sha256)`)
}
