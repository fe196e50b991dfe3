import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Listed, Picked } from '#platform/jsonapi/read.ts'
import type { Line } from './chunk-reader.store.ts'

/**
 * Position up to which the log of an activity has been read. Snapshots (`pg_snapshot` as text) say what was visible at
 * a poll.
 */
export interface Reading {
  /** Snapshot whose chunks have all been read. */
  readonly seen: string
  /** Next snapshot, while the chunks that it shows are read; `after` is the last of them so far. */
  readonly to?: string
  readonly after?: ChunkKey
}

/** Order of reading: as they were stored, so that those of one attempt come in the runner's order. */
export type ChunkKey = readonly [tx: string, stepId: string, attempt: number, firstSeq: number]

export interface Chunk {
  readonly tx: string
  readonly step_id: string
  readonly attempt: number
  readonly first_seq: number
  readonly line_count: number
  /** Stored size of its texts in bytes: compressed, if that made them smaller. */
  readonly stored: number
}

export const nothingSeen = '1:1:'

const mostChunks = 200
const mostLines = 4_000
/**
 * Maximum number of stored bytes in a page. Lines may have a megabyte each. The stored size of a chunk is known without
 * reading it, and is at least a hundredth of its size: so a page takes some tens of megabytes at most, and hardly ever
 * more than one or two.
 */
const mostStored = 256 * 1024

export const keyOf = ({ tx, step_id, attempt, first_seq }: Chunk): ChunkKey => [tx, step_id, attempt, first_seq]

/** Condition for unseen chunks `l` of an activity. The index serves its first half. */
export const unseen = (activityId: Sql, seen: string): Sql<boolean> =>
  sql<boolean>`l.activity_id = ${activityId} and ${stored(seen)}`

/** Condition for chunks `l` that this snapshot does not show. */
const stored = (seen: string): Sql<boolean> => sql<boolean>`
  l.tx >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(l.tx, ${seen}::pg_snapshot)`

/** Whether there are chunks that this snapshot does not show. @param of condition on chunks `l` */
export const hasUnseen = async (queries: Queries, of: Sql<boolean>, seen: string): Promise<boolean> =>
  (await queries.one(sql`select from log_chunks l where ${of} and ${stored(seen)} limit 1`)) !== undefined

/**
 * The next chunks to read, with some thousand lines; `whole`: there are no more up to that snapshot.
 *
 * @param of condition on chunks `l`: those of one log
 */
export async function nextChunks(
  queries: Queries,
  of: Sql<boolean>,
  { seen, to, after }: Required<Pick<Reading, 'seen' | 'to'>> & Reading,
): Promise<{ chunks: Chunk[]; whole: boolean }> {
  const [tx, stepId, attempt, firstSeq] = after ?? []
  const behind = after
    ? sql`and l.tx >= ${tx}::xid8
          and (l.tx, l.step_id, l.attempt, l.first_seq) > (${tx}::xid8, ${stepId}::uuid, ${attempt}::int, ${firstSeq}::bigint)`
    : sql``
  const found = await queries.rows(sql<Chunk>`
    select l.tx, l.step_id, l.attempt, l.first_seq, l.line_count, pg_column_size(l.messages) as stored
      from log_chunks l
     where ${of} and ${stored(seen)} and pg_visible_in_snapshot(l.tx, ${to}::pg_snapshot) ${behind}
     order by l.tx, l.step_id, l.attempt, l.first_seq
     limit ${mostChunks}`)
  const chunks = fitting(found)
  return { chunks, whole: found.length < mostChunks && chunks.length === found.length }
}

/** The first of them that fit into a page; at least one. */
function fitting(chunks: readonly Chunk[]): Chunk[] {
  let [lines, bytes] = [0, 0]
  const end = chunks.findIndex(({ line_count, stored }, index) => {
    lines += line_count
    bytes += stored
    return (lines > mostLines || bytes > mostStored) && index > 0
  })
  return end < 0 ? [...chunks] : chunks.slice(0, end)
}

/** The lines of these chunks. */
export const linesOfChunks = (chunks: readonly Pick<Chunk, 'step_id' | 'attempt' | 'first_seq'>[]): Picked => ({
  which: sql<boolean>`
    (l.step_id, l.attempt, l.first_seq) in (
      select * from unnest(${chunks.map(each => each.step_id)}::uuid[],
                           ${chunks.map(each => each.attempt)}::int[],
                           ${chunks.map(each => each.first_seq)}::bigint[]))`,
  order: sql`l.step_id, l.attempt, l.seq`,
})

/** Selection of given lines, in the order of the log. */
export function pickedLines(lines: readonly Line[]): Picked {
  const chunks = [
    ...new Map(lines.map(line => [nameOf(line.writer_id, line.attempt, line['first_seq']), line])).values(),
  ]
  const { which } = linesOfChunks(
    chunks.map(({ writer_id, attempt, first_seq }) => ({ step_id: writer_id, attempt, first_seq: Number(first_seq) })),
  )
  return {
    which: sql<boolean>`${which} and (l.step_id, l.attempt, l.seq) in (
      select * from unnest(${lines.map(each => each.writer_id)}::uuid[],
                           ${lines.map(each => each.attempt)}::int[],
                           ${lines.map(each => each.sequence)}::bigint[]))`,
    order: sql`l.logged_at, l.step_id, l.attempt, l.seq`,
  }
}

/** Lines by their chunk: those of a chunk that the caller may not read are missing. */
export function byChunk(lines: readonly Listed[]): (chunk: Chunk) => Listed[] {
  const groups = Map.groupBy(lines, ({ row }) => nameOf(row['writer_id'], row['attempt'], row['first_seq']))
  return chunk => groups.get(nameOf(chunk.step_id, chunk.attempt, chunk.first_seq)) ?? []
}

const nameOf = (...key: unknown[]): string => key.join('/')
