import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

const mostLines = 1_000

/** The first lines that a background task has logged, as one text; they are no step's, and go with it. */
export async function takeLog(tx: Tx, taskId: string): Promise<string> {
  const row = await tx.one(sql<{ text: string | null }>`
    select string_agg(message, e'\n' order by attempt, seq) as text
      from (select attempt, seq, message
              from log_lines
             where step_id = ${taskId}::uuid
             order by attempt, seq
             limit ${mostLines}) lines`)
  await tx.count(sql`delete from log_chunks where step_id = ${taskId}::uuid`)
  return row?.text ?? ''
}
