import { hash } from 'node:crypto'
import { inBatches } from '#platform/db/batches.ts'
import type { Queries } from '#platform/db/database.ts'
import { join, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { storable } from '#platform/stored-text.ts'
import type { LogChunk } from '#protocol/runner-protocol.ts'
import { categoriesOfLines, TextsMemory, timesOfLines } from './log-columns.ts'

/** A chunk and the runner that sent it. */
export interface ChunkOf {
  readonly runnerId: string
  readonly chunk: LogChunk
}

/**
 * Stores chunks of any number of steps by one statement. A chunk that already exists is the same one: the runner splits
 * a chunk once and never again. Chunks of a runner that was given up are not stored.
 *
 * @param memory for their texts; for a caller that stores chunks one statement after the other
 */
export async function insertChunks(
  queries: Queries,
  chunks: readonly ChunkOf[],
  memory: TextsMemory = new TextsMemory(),
): Promise<void> {
  if (chunks.length === 0) return
  const texts = memory.arrayOf(chunks.map(({ chunk }) => chunk.text))
  const rows = chunks.map(({ runnerId, chunk: { stepId, attempt, firstSeq, runs } }, index) => {
    const [ats, categories] = [timesOfLines(runs), categoriesOfLines(runs)]
    return sql`(${runnerId}::uuid, ${stepId}::uuid, ${attempt}::int, ${firstSeq}::bigint,
                ${ats}::timestamptz[], ${categories}::text[], ${index + 1}::int)`
  })
  await queries.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select v.step_id, v.attempt, v.first_seq, cardinality(v.ats), coalesce(r.activity_id, r.task_id), v.ats[1], v.ats[cardinality(v.ats)],
           v.ats, v.categories, case t.texts[v.number] when '' then array[''] else string_to_array(t.texts[v.number], e'\n') end
      from (select ${texts}::text[] as texts) t
     cross join (values ${join(rows, ', ')}) v (runner_id, step_id, attempt, first_seq, ats, categories, number)
      join runners r on r.id = v.runner_id and r.status <> 'gone'
        on conflict do nothing`)
}

/** Lines that Sluice itself adds to the log of an attempt, once its runner has nothing more to send for it. */
export interface OwnLines {
  readonly activityId: string
  /** Attempt that the lines are of; null: of the activity, which failed before it had steps. */
  readonly attempt: { readonly stepId: string; readonly attempt: number } | null
  readonly message: string
}

/** Appends lines to a log. Lines without a step are stored under the activity's own id. */
export async function addToLog(queries: Queries, { activityId, attempt, message }: OwnLines): Promise<void> {
  const [stepId, number] = attempt ? [attempt.stepId, attempt.attempt] : [activityId, 0]
  const lines = storable(message).split('\n').slice(0, 1_000)
  await queries.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select ${stepId}::uuid, ${number}::int, coalesce(last.seq, 0) + 1, ${lines.length}::int, ${activityId}::uuid,
           n.at, n.at, array_fill(n.at, array[${lines.length}::int]), array_fill('runner'::text, array[${lines.length}::int]),
           ${lines}::text[]
      from (select sluice_now() as at) n
      left join lateral (
        select first_seq + line_count - 1 as seq
          from log_chunks
         where step_id = ${stepId}::uuid and attempt = ${number}::int
         order by first_seq desc
         limit 1) last on true`)
}

/** Deletes the log lines of activities or background tasks, in batches. */
export async function deleteLines({ database, stopping }: Runtime, ids: readonly string[]): Promise<void> {
  const given = sql`${[...ids]}::uuid[]`
  await inBatches(stopping, most =>
    database.count(sql`
      delete from log_chunks
       where (step_id, attempt, first_seq) in (select step_id, attempt, first_seq from log_chunks
                                                where activity_id = any(${given}) limit ${most})`),
  )
}

export interface StoredLine {
  id: string
  step_id: string
  attempt: number
  /** Number of the line within the attempt, from 1. */
  seq: number
  logged_at: string
  category: string
  message: string
}

/**
 * The next lines of a step, in order of attempt and number. A page is a range of the key, not an offset.
 *
 * @param after the last line that the reader has
 */
export function readStepLog(
  queries: Queries,
  step: { stepId: string; after?: { attempt: number; seq: number }; limit: number },
): Promise<StoredLine[]> {
  const { stepId, limit } = step
  const { attempt, seq } = step.after ?? { attempt: 0, seq: 0 }
  // A chunk has at most 1,000 lines, so the one with the next line begins less than 1,000 before it.
  return queries.rows(sql<StoredLine>`
    select id, step_id, attempt, seq, logged_at, category, message
      from log_lines
     where step_id = ${stepId}
       and (attempt, first_seq) > (${attempt}::int, ${seq - 1_000}::bigint)
       and (attempt, seq) > (${attempt}::int, ${seq}::bigint)
     order by attempt, seq
     limit ${limit}`)
}

/** The id of a line, as the database generates it: a version 8 UUID of its step, attempt and number. */
export const lineId = (stepId: string, attempt: number, seq: number): string => new LineIds(stepId, attempt).of(seq)

/** The ids of the lines of one attempt of a step. */
export class LineIds {
  readonly #named = Buffer.alloc(28)

  constructor(stepId: string, attempt: number) {
    this.#named.write(stepId.replaceAll('-', ''), 'hex')
    this.#named.writeInt32BE(attempt, 16)
  }

  of(seq: number): string {
    this.#named.writeUInt32BE(Math.floor(seq / 2 ** 32), 20)
    this.#named.writeUInt32BE(seq % 2 ** 32, 24)
    const digest = hash('sha256', this.#named, 'hex')
    const version = `8${digest.slice(13, 16)}`
    const variant = `${((Number.parseInt(digest[16]!, 16) & 0x3) | 0x8).toString(16)}${digest.slice(17, 20)}`
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${version}-${variant}-${digest.slice(20, 32)}`
  }
}
