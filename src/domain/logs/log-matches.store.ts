import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { all } from '#platform/jsonapi/select.ts'
import type { Extent, Key } from './chunk-order.ts'
import { nameOf } from './chunk-reader.store.ts'
import { madeByEachStep } from './log-scopes.sql.ts'

/** Conditions on the lines that are searched for. All that are given must hold. */
export interface LinesSought {
  /** Text that the line contains, case-insensitively. */
  readonly text?: string
  /** Regular expression of PostgreSQL that the line matches, case-insensitively. */
  readonly regexp?: string
  /** Whether the line was written to stderr. */
  readonly errors?: boolean
}

export interface FoundLine extends Key {
  readonly activity_id: string
  /** First line of its chunk. */
  readonly first_seq: number
  /** First character of the match, from 0, and the one behind its last; null without a text. */
  readonly from: number | null
  readonly to: number | null
}

/** Lower case of all letters: under the collation "C" only ASCII letters have cases. */
const lower = (text: Sql): Sql => sql`lower((${text}) collate "und-x-icu")`

interface SearchedPart {
  readonly among: readonly Sql<boolean>[]
  /** The first and the last chunk of the part, in order of their first lines. */
  readonly part: { readonly first: Extent; readonly last: Extent }
  readonly sought: LinesSought
  readonly limit: number
}

/** First matching lines of a part of a log, in order of time. Chunks that cannot contain one are not expanded. */
export function findLines(
  queries: Queries,
  { among, part: { first, last }, sought, limit }: SearchedPart,
): Promise<FoundLine[]> {
  const { text, regexp, errors } = sought
  const chunks: Sql<boolean>[] = [
    sql<boolean>`(l.first_at, l.step_id, l.attempt, l.first_seq) between ${edge(first)} and ${edge(last)}`,
  ]
  const lines: Sql<boolean>[] = []
  let [from, to] = [sql`null::int`, sql`null::int`]
  if (errors) {
    chunks.push(sql<boolean>`'stderr' = any(l.categories)`)
    lines.push(sql<boolean>`line.category = 'stderr'`)
  }
  if (text !== undefined) {
    const wanted = lower(sql`${text}::text`)
    chunks.push(sql<boolean>`strpos(${lower(sql`array_to_string(l.messages, e'\n')`)}, ${wanted}) > 0`)
    lines.push(sql<boolean>`strpos(${lower(sql`line.message`)}, ${wanted}) > 0`)
    from = sql`strpos(${lower(sql`line.message`)}, ${wanted}) - 1`
    to = sql`strpos(${lower(sql`line.message`)}, ${wanted}) - 1 + length(${text}::text)`
  }
  if (regexp !== undefined) {
    lines.push(sql<boolean>`regexp_like(line.message, ${regexp}, 'i')`)
    from = sql`regexp_instr(line.message, ${regexp}, 1, 1, 0, 'i') - 1`
    to = sql`regexp_instr(line.message, ${regexp}, 1, 1, 1, 'i') - 1`
  }
  // Columns are computed before the sort, which would otherwise keep thousands of whole lines in memory.
  return queries.rows(
    sql<FoundLine>`
      select l.activity_id, line.logged_at, l.step_id as writer_id, l.attempt, l.first_seq,
             l.first_seq + line.number - 1 as sequence, ${from} as "from", ${to} as "to"
        from log_chunks l
        join activities a on a.id = l.activity_id
       cross join lateral unnest(l.messages, l.categories, l.ats)
                       with ordinality line (message, category, logged_at, number)
       where ${all([...among, ...chunks])} and ${all(lines)}
       order by line.logged_at, l.step_id, l.attempt, sequence
       limit ${limit}`,
    { plannedAnew: true },
  )
}

/** The activities that a run made, by their ids, each with the step of this run that it is due to. */
export async function makersOf(queries: Queries, runId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.rows(sql<{ id: string; step_id: string }>`select * from (${madeByEachStep(runId)}) made`, {
    byKeys: true,
  })
  return new Map(rows.map(({ id, step_id }) => [id, step_id]))
}

const edge = ({ first_at, step_id, attempt, first_seq }: Extent): Sql =>
  sql`(${first_at}::timestamptz, ${step_id}::uuid, ${attempt}::int, ${first_seq}::bigint)`

/** Chunk of a log that is searched. */
export interface SearchedChunk extends Extent {
  readonly activity_id: string
}

/** Chunks of a log in order of their first lines. */
export const extentsOf = (queries: Queries, among: readonly Sql<boolean>[]): Promise<SearchedChunk[]> =>
  queries.rows(
    sql<SearchedChunk>`
      select l.activity_id, l.step_id, l.attempt, l.first_seq, l.line_count, l.first_at, l.last_at
        from log_chunks l join activities a on a.id = l.activity_id
       where ${all(among)}
       order by l.first_at, l.step_id, l.attempt, l.first_seq`,
    { plannedAnew: true },
  )

/** Times of the lines of these chunks, as PostgreSQL writes them, by the name of the chunk. */
export async function timesOfLines(queries: Queries, chunks: readonly Extent[]): Promise<Map<string, string[]>> {
  const found = await queries.rows(
    sql<Pick<Extent, 'step_id' | 'attempt' | 'first_seq'> & { ats: string }>`
      select c.step_id, c.attempt, c.first_seq, array_to_string(c.ats, ',') as ats
        from unnest(${chunks.map(each => each.step_id)}::uuid[], ${chunks.map(each => each.attempt)}::int[],
                    ${chunks.map(each => each.first_seq)}::bigint[]) wanted (step_id, attempt, first_seq)
        join log_chunks c on c.step_id = wanted.step_id and c.attempt = wanted.attempt and c.first_seq = wanted.first_seq`,
    { byKeys: true },
  )
  return new Map(found.map(each => [nameOf(each), each.ats.split(',')]))
}
