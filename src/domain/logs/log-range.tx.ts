import type { Queries } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'
import { mostBytes } from '#platform/jsonapi/page.ts'
import { inOrder, type Key, keyOf, nearEdge } from './chunk-order.ts'
import { Heads, type Line, linesOf, takeFitting } from './chunk-reader.store.ts'
import { attemptLengths, headsOfAttempt, type RangeWanted, startOfRange } from './log-range.store.ts'

/** Lines of a log by their index, the number of lines before them. */
export interface LogRange {
  /** Number of lines of the whole log that the caller may read. */
  readonly total: number
  /** Index of the first requested line. */
  readonly from: number
  readonly lines: readonly PlacedLine[]
}

export interface PlacedLine {
  readonly index: number
  readonly line: Line
}

/** A log as a part is read of it: of one step, in the order of its attempts and line numbers, or of several by time. */
export interface Log {
  /** Conditions on chunks `l` of activities `a`. */
  readonly among: readonly Sql<boolean>[]
  /** The step under whose id all of its lines are stored, if it is the log of one step. */
  readonly stepId?: string
}

/** Reads a range of a log. It ends early after `mostBytes` of text. */
export function readRange(queries: Queries, { among, stepId }: Log, wanted: RangeWanted): Promise<LogRange> {
  return stepId === undefined ? rangeByTime(queries, among, wanted) : rangeOfStep(queries, stepId, among, wanted)
}

/**
 * Reads by line number, with a lookup for each attempt. A line that was never stored is left out, and the index of
 * others is as though it were there.
 */
async function rangeOfStep(
  queries: Queries,
  stepId: string,
  among: readonly Sql<boolean>[],
  { from: given, count }: RangeWanted,
): Promise<LogRange> {
  const attempts = await attemptLengths(queries, stepId, among)
  const total = attempts.reduce((sum, { lines }) => sum + lines, 0)
  const from = given ?? Math.max(total - count, 0)
  const taken = new Taken(count)
  let before = 0
  for (const { attempt, lines } of attempts) {
    const [first, last] = [Math.max(from - before, 0) + 1, Math.min(from + count - before, lines)]
    if (first <= last) {
      const heads = await headsOfAttempt(queries, { stepId, attempt, first, last })
      while (heads.length && !taken.isFull)
        for (const line of await linesOf(takeFitting(heads), queries))
          if (line.sequence >= first && line.sequence <= last) taken.add(before + line.sequence - 1, line)
    }
    before += lines
  }
  return { total, from, lines: taken.lines }
}

async function rangeByTime(queries: Queries, among: readonly Sql<boolean>[], wanted: RangeWanted): Promise<LogRange> {
  const { total, from, pivot, mergedFrom } = await startOfRange(queries, among, wanted)
  const taken = new Taken(wanted.count)
  if (!pivot || from >= total) return { total, from, lines: [] }
  let index = mergedFrom
  for await (const line of merged(queries, among, pivot, () => from + wanted.count - index)) {
    if (index >= from) taken.add(index, line)
    index++
    if (taken.isFull) break
  }
  return { total, from, lines: taken.lines }
}

/** Lines of all chunks that end at or after a line, in order. @param wanted how many lines are still needed */
async function* merged(
  queries: Queries,
  among: readonly Sql<boolean>[],
  from: Key,
  wanted: () => number,
): AsyncGenerator<Line> {
  const [at, writer, attempt, sequence] = keyOf(from)
  // `Heads` reads what ends after a position, which here is the line before.
  const after = [at, writer, String(attempt), String(sequence - 1)]
  const heads = new Heads({ sorts: [], among, filters: [], after, inFewProjects: undefined }, 'asc', queries)
  let pending: Line[] = []
  for (let batch = await heads.take(wanted()); batch.length; ) {
    pending.push(...(await linesOf(batch, queries)))
    pending.sort((a, b) => inOrder(a, b, 'asc'))
    const next = await heads.next()
    const end = next ? pending.findIndex(line => inOrder(line, nearEdge(next, 'asc'), 'asc') >= 0) : -1
    yield* end < 0 ? pending : pending.slice(0, end)
    pending = end < 0 ? [] : pending.slice(end)
    batch = next ? await heads.take(Math.max(wanted() - pending.length, 1)) : []
  }
}

/** Lines of a range as they are read, until it has the requested number or is as large as an answer may be. */
class Taken {
  readonly lines: PlacedLine[] = []
  readonly #count: number
  #bytes = 0

  constructor(count: number) {
    this.#count = count
  }

  get isFull(): boolean {
    return this.lines.length >= this.#count || this.#bytes >= mostBytes
  }

  add(index: number, line: Line): void {
    if (this.isFull) return
    this.lines.push({ index, line })
    this.#bytes += line.message.length
  }
}
