import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { all } from '#platform/jsonapi/select.ts'
import type { Head, Key } from './chunk-order.ts'

/** The requested part of a log: `count` lines from an index, or the last `count` lines. */
export interface RangeWanted {
  /** Index of the first line, from 0; undefined: the last lines. */
  readonly from: number | undefined
  readonly count: number
}

/** Number of lines of one attempt of a step. */
export interface AttemptLength {
  readonly attempt: number
  readonly lines: number
}

/**
 * Attempts of one step that have written lines, in order. The number of the last line is the length, so only one chunk
 * of each attempt is read.
 */
export async function attemptLengths(
  queries: Queries,
  stepId: string,
  among: readonly Sql<boolean>[],
): Promise<AttemptLength[]> {
  const newestBelow = (condition: Sql) => sql`
    select l.attempt, l.first_seq + l.line_count - 1 as lines
      from log_chunks l join activities a on a.id = l.activity_id
     where l.step_id = ${stepId}::uuid and ${condition} and ${all(among)}
     order by l.attempt desc, l.first_seq desc
     limit 1`
  return await queries.rows(sql<AttemptLength>`
    with recursive newest as (
      (${newestBelow(sql`true`)})
      union all
      select before.attempt, before.lines
        from newest cross join lateral (${newestBelow(sql`l.attempt < newest.attempt`)}) before
    )
    select attempt, lines from newest order by attempt`)
}

const columnsOfHead = sql`
  l.step_id, l.attempt, l.first_seq, l.line_count, l.first_at, l.last_at, l.activity_id, a.kind,
  pg_column_size(l.messages) as stored`

/** Chunks of an attempt with lines of these numbers, both included. A chunk has at most 1,000 lines. */
export const headsOfAttempt = (
  queries: Queries,
  { stepId, attempt, first, last }: { stepId: string; attempt: number; first: number; last: number },
): Promise<Head[]> =>
  queries.rows(sql<Head>`
    select ${columnsOfHead}
      from log_chunks l join activities a on a.id = l.activity_id
     where l.step_id = ${stepId}::uuid and l.attempt = ${attempt}::int
       and l.first_seq > ${first - 1_000}::bigint and l.first_seq <= ${last}::bigint
       and l.first_seq + l.line_count > ${first}::bigint
     order by l.first_seq`)

/** The chunk at which reading a range of a log begins, and the length of the log. */
export interface RangeStart {
  /** Number of lines of the log. */
  readonly total: number
  /** Index of the first requested line. */
  readonly from: number
  /** First line of the chunk at which reading begins; undefined in an empty log. */
  readonly pivot: Key | undefined
  /** Index of the first line of those chunks that end at or after the pivot, if all of them are merged. */
  readonly mergedFrom: number
}

/**
 * Finds the chunk at which to begin reading, from the line counts of all chunks, without decoding any. Lines of chunks
 * that begin before the pivot are before it, unless their chunk ends after it: these chunks overlap, and are merged with
 * the ones behind the pivot.
 */
export async function startOfRange(
  queries: Queries,
  among: readonly Sql<boolean>[],
  { from, count }: RangeWanted,
): Promise<RangeStart> {
  interface Found {
    readonly total: number
    readonly start: number
    readonly first_at: string | null
    readonly step_id: string
    readonly attempt: number
    readonly first_seq: number
    readonly merged_from: number | null
  }
  const found = await queries.one(
    sql<Found>`
    with heads as materialized (
      select l.first_at, l.last_at, l.step_id, l.attempt, l.first_seq, l.line_count,
             sum(l.line_count) over (order by l.first_at, l.step_id, l.attempt, l.first_seq) - l.line_count as before
        from log_chunks l join activities a on a.id = l.activity_id
       where ${all(among)}
    ), whole as (
      select total, ${from === undefined ? sql`greatest(total - ${count}::bigint, 0)` : sql`${from}::bigint`} as start
        from (select coalesce(sum(line_count), 0)::bigint as total from heads) counted
    ), pivot as (
      select heads.*
        from heads cross join whole
       where heads.before <= whole.start
       order by heads.before desc
       limit 1
    )
    select whole.total, whole.start, p.first_at, p.step_id, p.attempt, p.first_seq,
           p.before - (select coalesce(sum(h.line_count), 0)
                         from heads h
                        where h.before < p.before
                          and (h.last_at, h.step_id, h.attempt, h.first_seq + h.line_count - 1)
                              > (p.first_at, p.step_id, p.attempt, p.first_seq)) as merged_from
      from whole left join pivot p on true`,
    { plannedAnew: true },
  )
  const { total, start, first_at, step_id, attempt, first_seq, merged_from } = found!
  const pivot =
    first_at === null ? undefined : { logged_at: first_at, writer_id: step_id, attempt, sequence: first_seq }
  return { total, from: start, pivot, mergedFrom: merged_from ?? 0 }
}
