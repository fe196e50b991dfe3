import { inBatches } from '#platform/db/batches.ts'
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

/** A content goes with the last artefact that has it; nobody keeps the same one meanwhile (`keepArtefact`). */
const forgetArtefacts = (database: Around['database'], ids: readonly string[], most: number): Promise<number> =>
  database.transaction(async tx => {
    const gone = await tx.rows(sql<{ sha256: string }>`
      delete from artefacts
       where id in (select id from artefacts where activity_id = any(${[...ids]}::uuid[]) limit ${most})
      returning sha256`)
    for (const sha256 of new Set(gone.map(each => each.sha256).toSorted())) {
      await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`artefacts:${sha256}`}, 0))`)
      await tx.count(sql`
        delete from artefact_chunks c
         where c.sha256 = ${sha256} and not exists (select from artefacts a where a.sha256 = c.sha256)`)
    }
    return gone.length
  })
