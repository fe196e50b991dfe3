import type { Queries } from '#platform/db/database.ts'
import { isoTime } from '#platform/db/values.ts'
import { type Extent, farEdge, inOrder, type Key, nearEdge } from './chunk-order.ts'
import { nameOf } from './chunk-reader.store.ts'
import {
  extentsOf,
  type FoundLine,
  findLines,
  type LinesSought,
  makersOf,
  type SearchedChunk,
  timesOfLines,
} from './log-matches.store.ts'
import { type AttemptLength, attemptLengths } from './log-range.store.ts'
import type { Log } from './log-range.tx.ts'

/** A line that matches, with its index in the log. */
export interface Match {
  readonly line: number
  /** Index in the log of the step that wrote it. */
  readonly stepLine: number
  readonly found: FoundLine
  /** Log of a workflow run: the step of the run that the line is due to, and its index in the log of that step. */
  readonly ofRunStep?: { readonly id: string; readonly line: number }
}

/** The step of a workflow run that lines are due to; undefined: those of the run as a whole. */
export type RunStepOf = (lines: { readonly activity_id: string; readonly writer_id: string }) => string | undefined

/** Finds the step of a run that lines of its log are due to: the one that wrote them, or made what wrote them. */
export async function runStepsOf(queries: Queries, runId: string): Promise<RunStepOf> {
  const makers = await makersOf(queries, runId)
  return ({ activity_id, writer_id }) =>
    activity_id !== runId ? makers.get(activity_id) : writer_id === runId ? undefined : writer_id
}

/** Number of lines of the chunks that are searched by one statement. */
const linesAtOnce = 50_000

/**
 * Finds the first lines of a log that match, with their indexes as `readRange` counts them. Chunks are searched a part
 * after the other, so that a text that many lines contain is found in the first part.
 */
export async function findMatches(
  queries: Queries,
  { among, stepId }: Log,
  sought: LinesSought,
  { limit, runStepOf }: { readonly limit: number; readonly runStepOf?: RunStepOf | undefined },
): Promise<Match[]> {
  const extents = await extentsOf(queries, among)
  const found = await firstLines(queries, { among, extents, sought, limit })
  if (found.length === 0) return []
  return stepId === undefined
    ? await placedByTime(queries, extents, found, runStepOf)
    : placedByAttempt(await attemptLengths(queries, stepId, among), found)
}

interface Searched {
  readonly among: Log['among']
  /** Chunks of the log, in order of their first lines. */
  readonly extents: readonly SearchedChunk[]
  readonly sought: LinesSought
  readonly limit: number
}

async function firstLines(queries: Queries, { among, extents, sought, limit }: Searched): Promise<FoundLine[]> {
  let found: FoundLine[] = []
  for (let at = 0; at < extents.length; ) {
    const first = at
    for (let lines = 0; at < extents.length && lines < linesAtOnce; at++) lines += extents[at]!.line_count
    const part = { first: extents[first]!, last: extents[at - 1]! }
    found.push(...(await findLines(queries, { among, part, sought, limit })))
    found = found.toSorted((a, b) => inOrder(a, b, 'asc')).slice(0, limit)
    // Later chunks begin behind all lines that were found.
    if (found.length === limit && at < extents.length && isBefore(found.at(-1)!, extents[at]!)) return found
  }
  return found
}

const isBefore = (line: Key, extent: Extent): boolean => inOrder(line, nearEdge(extent, 'asc'), 'asc') < 0

function placedByAttempt(attempts: readonly AttemptLength[], found: readonly FoundLine[]): Match[] {
  const before = new Map<number, number>()
  let lines = 0
  for (const each of attempts) {
    before.set(each.attempt, lines)
    lines += each.lines
  }
  const matches = found.map(each => {
    const line = (before.get(each.attempt) ?? 0) + each.sequence - 1
    return { line, stepLine: line, found: each }
  })
  return matches.toSorted((a, b) => a.line - b.line)
}

async function placedByTime(
  queries: Queries,
  extents: readonly SearchedChunk[],
  found: readonly FoundLine[],
  runStepOf: RunStepOf | undefined,
): Promise<Match[]> {
  const times = await timesOfLines(queries, overlapping(extents, found))
  const placed = (among: readonly Extent[], keys: readonly Key[]) =>
    linesBefore(among, keys, (extent, key) => countBefore(extent, key, times.get(nameOf(extent))))
  const lines = placed(extents, found)
  const before = linesOfEarlierAttempts(extents, found)
  const inRunSteps = runStepOf && placedInRunSteps(extents, found, runStepOf, placed)
  return found.map((each, index) => {
    const ofRunStep = inRunSteps?.get(each)
    const stepLine = (before.get(attemptOf(each)) ?? 0) + each.sequence - 1
    return { line: lines[index]!, stepLine, found: each, ...(ofRunStep && { ofRunStep }) }
  })
}

/** Places of lines in the logs of the steps of a run, each of which has the chunks that are due to the step. */
function placedInRunSteps(
  extents: readonly SearchedChunk[],
  found: readonly FoundLine[],
  runStepOf: RunStepOf,
  placed: (among: readonly Extent[], keys: readonly Key[]) => number[],
): ReadonlyMap<FoundLine, NonNullable<Match['ofRunStep']>> {
  const places = new Map<FoundLine, NonNullable<Match['ofRunStep']>>()
  const chunks = Map.groupBy(extents, ({ activity_id, step_id }) => runStepOf({ activity_id, writer_id: step_id }))
  for (const [id, theirs] of Map.groupBy(found, runStepOf)) {
    if (id === undefined) continue
    const lines = placed(chunks.get(id) ?? [], theirs)
    for (const [i, each] of theirs.entries()) places.set(each, { id, line: lines[i]! })
  }
  return places
}

const attemptOf = ({ writer_id, attempt }: Pick<Key, 'writer_id' | 'attempt'>): string => `${writer_id}/${attempt}`

/** Numbers of lines of the attempts before those that wrote these lines; first attempts are left out. */
function linesOfEarlierAttempts(extents: readonly Extent[], found: readonly Key[]): ReadonlyMap<string, number> {
  const retried = new Map(found.filter(({ attempt }) => attempt > 1).map(each => [attemptOf(each), each]))
  if (retried.size === 0) return new Map()
  const lengths = new Map<string, Map<number, number>>()
  for (const { step_id, attempt, first_seq, line_count } of extents) {
    const attempts = lengths.get(step_id) ?? new Map<number, number>()
    lengths.set(step_id, attempts)
    attempts.set(attempt, Math.max(attempts.get(attempt) ?? 0, first_seq + line_count - 1))
  }
  const before = ({ writer_id, attempt }: Key) =>
    [...lengths.get(writer_id)!].reduce((sum, [each, lines]) => (each < attempt ? sum + lines : sum), 0)
  return new Map([...retried].map(([name, key]) => [name, before(key)]))
}

/**
 * Number of lines before each key: those of all chunks that begin before it, without what the chunks that end behind it
 * have from there on. Both lists are in order.
 */
function linesBefore(
  extents: readonly Extent[],
  keys: readonly Key[],
  count: (extent: Extent, key: Key) => number,
): number[] {
  let [at, ended] = [0, 0]
  let open: Extent[] = []
  return keys.map(key => {
    for (; at < extents.length && inOrder(nearEdge(extents[at]!, 'asc'), key, 'asc') <= 0; at++) open.push(extents[at]!)
    const still = open.filter(each => inOrder(farEdge(each), key, 'asc') >= 0)
    if (still.length < open.length) {
      const all = open.reduce((sum, { line_count }) => sum + line_count, 0)
      ended += all - still.reduce((sum, { line_count }) => sum + line_count, 0)
      open = still
    }
    return open.reduce((sum, each) => sum + count(each, key), ended)
  })
}

/** Chunks of which some lines are before one of the keys and some behind it. */
function overlapping(extents: readonly Extent[], keys: readonly Key[]): Extent[] {
  const found = new Set<Extent>()
  linesBefore(extents, keys, (extent, key) => {
    if (isOther(extent, key) && extent.first_at !== extent.last_at) found.add(extent)
    return 0
  })
  return [...found]
}

const isOther = ({ step_id, attempt, first_seq, line_count }: Extent, key: Key): boolean =>
  step_id !== key.writer_id ||
  attempt !== key.attempt ||
  key.sequence < first_seq ||
  key.sequence >= first_seq + line_count

/** Number of lines of a chunk that are before a key. @param times of its lines; absent if all have the same */
function countBefore(extent: Extent, key: Key, times: readonly string[] | undefined): number {
  const { step_id, attempt, first_seq, line_count, first_at } = extent
  if (!isOther(extent, key)) return key.sequence - first_seq
  let [low, high] = [0, line_count]
  while (low < high) {
    const middle = (low + high) >> 1
    const logged_at = times ? isoTime(times[middle]!) : first_at
    const line = { logged_at, writer_id: step_id, attempt, sequence: first_seq + middle }
    if (inOrder(line, key, 'asc') < 0) low = middle + 1
    else high = middle
  }
  return low
}
