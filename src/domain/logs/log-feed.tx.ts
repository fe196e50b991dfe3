import type { Actor } from '#platform/actor.ts'
import type { Sql } from '#platform/db/sql.ts'
import type { Listed } from '#platform/jsonapi/read.ts'
import type { ParentRow, Row } from '#platform/jsonapi/resource.ts'
import type { FeedContext } from '#platform/live/live.ts'
import type { Key } from './chunk-order.ts'
import { LivePlaces, type Sent } from './live-places.ts'
import {
  byChunk,
  keyOf,
  linesOfChunks,
  nextChunks,
  nothingSeen,
  pickedLines,
  type Reading,
} from './log-following.store.ts'
import { attemptLengths } from './log-range.store.ts'
import { type Log, readRange } from './log-range.tx.ts'
import { linesOfActivity, linesOfChange, linesSeenAt } from './log-scopes.sql.ts'

/** Position of a live stream in the log of an activity. */
export interface FeedPosition extends Reading {
  /** The last lines while they are sent: those up to a snapshot, from an index on. */
  readonly tail?: { readonly to: string; readonly next: number; readonly total: number }
  /** The lines sent so far; absent in streams that an earlier release began. */
  readonly sent?: Sent
}

export const feedBeginning: FeedPosition = { seen: nothingSeen, sent: { lines: 0, last: null } }

/** Lines of one attempt of a step, as a message has them, and the position behind them. */
interface FedLines {
  readonly data: readonly object[]
  readonly meta: object
  readonly at: FeedPosition
}

interface Fed {
  /** Condition on chunks `l` of the log that may still be stored. */
  readonly of: () => Sql<boolean>
  /** The whole log, as the caller may read it. */
  readonly log: (actor: Actor) => Log
  /** Number of last lines with which the stream begins; undefined: all lines. */
  readonly tail: number | undefined
  /** Whether messages have the place of lines in the log: the stream has all of its lines. */
  readonly hasPlaces: boolean
  /** Whether it is the log of one step, whose lines are in its own order. */
  readonly isOfStep?: boolean
}

/** Log of an activity alone, which the caller may read. */
export const logOfActivity = (id: string): Pick<Fed, 'of' | 'log'> => ({
  of: () => linesOfChange({ id } as ParentRow),
  log: ({ rights }) => ({ among: linesOfActivity(id, rights) }),
})

/** Number of lines of a page of the last lines. */
const pageOfTail = 2_000

/** Reads the log of an activity for a live stream: each line once, those of one attempt in the order of the step. */
export class LogFeed {
  #at: FeedPosition
  readonly #fed: Fed
  #places: LivePlaces | undefined
  /** Number of lines of earlier attempts, by step and attempt. */
  readonly #before = new Map<string, number>()

  constructor(fed: Fed, at: FeedPosition) {
    this.#fed = fed
    this.#at = at
    this.#places = at.sent && new LivePlaces(at.sent)
  }

  get at(): FeedPosition {
    return this.#at
  }

  /** Whether lines that an earlier read has seen are still to be sent. */
  get isReading(): boolean {
    return this.#at.to !== undefined || this.#at.tail !== undefined
  }

  /** Notes that no line had been written at this snapshot, so that all later ones are sent, however many. */
  hasNoneAt(snapshot: string): void {
    if (this.#awaitsTail) this.#at = { ...this.#at, seen: snapshot }
  }

  get #awaitsTail(): boolean {
    return this.#fed.tail !== undefined && this.#at.seen === nothingSeen
  }

  /** Reads the lines that this snapshot shows and no earlier read has seen, in pages. */
  async *upTo(look: FeedContext, snapshot: string): AsyncGenerator<FedLines[]> {
    if (this.#awaitsTail) yield* this.#lastLines(look, snapshot)
    const { to } = this.#at
    if (to !== undefined) yield* this.#newLines(look, to)
    yield* this.#newLines(look, snapshot)
  }

  async *#newLines(look: FeedContext, to: string): AsyncGenerator<FedLines[]> {
    for (;;) {
      const { seen, after, sent } = this.#at
      const { chunks, whole } = await nextChunks(look.database, this.#fed.of(), {
        seen,
        to,
        ...(after && { after }),
      })
      const linesOf = byChunk(chunks.length > 0 ? await look.listed('log_line', linesOfChunks(chunks)) : [])
      this.#at = { seen, to, ...(after && { after }), ...(sent && { sent }) }
      const page: FedLines[] = []
      for (const [index, chunk] of chunks.entries()) {
        const last = whole && index === chunks.length - 1
        const { sent } = this.#at
        this.#at = { ...(last ? { seen: to } : { seen, to, after: keyOf(chunk) }), ...(sent && { sent }) }
        const lines = linesOf(chunk)
        if (lines.length > 0) page.push(await this.#message(look, lines))
      }
      if (whole) this.#at = { seen: to, ...(this.#at.sent && { sent: this.#at.sent }) }
      if (page.length > 0) yield page
      if (whole) return
    }
  }

  async *#lastLines(look: FeedContext, snapshot: string): AsyncGenerator<FedLines[]> {
    const to = this.#at.tail?.to ?? snapshot
    const whole = this.#fed.log(look.actor)
    const log = { ...whole, among: [...whole.among, linesSeenAt(to)] }
    if (!this.#at.tail) await this.#beginTail(look, log, to)
    for (let { next, total } = this.#at.tail!; next < total; ) {
      const { lines } = await readRange(look.database, log, { from: next, count: Math.min(pageOfTail, total - next) })
      if (lines.length === 0) break
      const records = await look.listed('log_line', pickedLines(lines.map(({ line }) => line)))
      const indexes = new Map(lines.map(({ index, line }) => [nameOf(line), index]))
      const page: FedLines[] = []
      for (const run of byAttempt(records)) {
        next = indexes.get(nameOf(run.at(-1)!.row))! + 1
        this.#at = { ...this.#at, tail: { to, next, total } }
        page.push(await this.#message(look, run))
      }
      if (page.length > 0) yield page
    }
    this.#at = { seen: to, ...(this.#at.sent && { sent: this.#at.sent }) }
  }

  async #beginTail(look: FeedContext, log: Log, to: string): Promise<void> {
    const { total, lines } = await readRange(look.database, log, { from: undefined, count: 1 })
    const next = Math.max(total - this.#fed.tail!, 0)
    const last = lines.at(-1)?.line
    const sent = { lines: next, last: next === total && last ? keyIn(last) : null }
    this.#places = new LivePlaces(sent)
    this.#at = { ...this.#at, tail: { to, next, total }, sent }
  }

  async #message(look: FeedContext, lines: readonly Listed[]): Promise<FedLines> {
    const [first, last] = [lines[0]!.row, lines.at(-1)!.row]
    const place = this.#places?.add(keyIn(first), keyIn(last), lines.length)
    if (this.#places) this.#at = { ...this.#at, sent: this.#places.sent }
    const step_line = (await this.#linesBefore(look, first)) + Number(first['sequence']) - 1
    const placed = this.#fed.isOfStep ? { line: step_line, line_count: step_line + lines.length } : place
    return {
      data: lines.map(({ shown }) => shown),
      meta: { step_line, ...(this.#fed.hasPlaces && placed) },
      at: this.#at,
    }
  }

  /** Number of lines of the earlier attempts of a step, which write nothing more. */
  async #linesBefore({ database }: FeedContext, { writer_id, attempt }: Row): Promise<number> {
    if (Number(attempt) <= 1) return 0
    const name = `${writer_id}/${attempt}`
    const known = this.#before.get(name)
    if (known !== undefined) return known
    const attempts = await attemptLengths(database, String(writer_id), [])
    const before = attempts.filter(each => each.attempt < Number(attempt)).reduce((sum, { lines }) => sum + lines, 0)
    this.#before.set(name, before)
    return before
  }
}

const nameOf = ({ writer_id, attempt, sequence }: Row): string => `${writer_id}/${attempt}/${sequence}`

const keyIn = ({ logged_at, writer_id, attempt, sequence }: Row): Key => ({
  logged_at: String(logged_at),
  writer_id: String(writer_id),
  attempt: Number(attempt),
  sequence: Number(sequence),
})

/** Lines in the order of the log, in runs of lines that one attempt wrote one after the other. */
function byAttempt(lines: readonly Listed[]): Listed[][] {
  const runs: Listed[][] = []
  for (const line of lines) {
    const before = runs.at(-1)?.at(-1)?.row
    const isNext = before && ['writer_id', 'attempt'].every(name => before[name] === line.row[name])
    if (isNext) runs.at(-1)!.push(line)
    else runs.push([line])
  }
  return runs
}
