import { inOrder, type Key } from './chunk-order.ts'

/** Lines that a live stream has sent: their number, and the last of them in the order of the log. */
export interface Sent {
  readonly lines: number
  readonly last: Key | null
}

/** Place of lines in the log that a stream has sent so far. */
export interface Place {
  /** Index before which no line has moved: that of the first of the lines if they are the last ones of the log. */
  readonly line: number
  /** Number of lines sent so far, with these. */
  readonly line_count: number
}

/** Number of messages whose lines are remembered. */
const remembered = 256

/**
 * Places of the lines that a stream sends in the order in which they are stored. Lines of parallel steps may belong
 * between lines that were sent before: then the place is a lower bound, computed from the ends of the latest messages.
 */
export class LivePlaces {
  #sent: Sent
  #recent: { readonly last: Key; readonly lines: number }[] = []
  /** Last line of the messages that are no longer remembered. */
  #forgotten: Key | null

  /** @param sent the lines sent before, as a resumed stream knows them */
  constructor(sent: Sent) {
    this.#sent = sent
    this.#forgotten = sent.last
  }

  get sent(): Sent {
    return this.#sent
  }

  /** Adds a message with this first and last line. */
  add(first: Key, last: Key, count: number): Place {
    const { lines: before, last: end } = this.#sent
    // The lines before those of a stream that began in the middle are unknown.
    if (end === null && before > 0) this.#forgotten = first
    const line = end === null || inOrder(first, end, 'asc') > 0 ? before : this.#unmovedBefore(first)
    this.#remember(last, count)
    this.#sent = { lines: before + count, last: laterOf(end, last) }
    return { line, line_count: before + count }
  }

  #unmovedBefore(first: Key): number {
    if (this.#forgotten && inOrder(first, this.#forgotten, 'asc') <= 0) return 0
    const moved = this.#recent.filter(({ last }) => inOrder(last, first, 'asc') > 0)
    return moved.reduce((left, { lines }) => left - lines, this.#sent.lines)
  }

  #remember(last: Key, lines: number): void {
    this.#recent.push({ last, lines })
    if (this.#recent.length > remembered) this.#forgotten = laterOf(this.#forgotten, this.#recent.shift()!.last)
  }
}

const laterOf = (one: Key | null, other: Key): Key => (one && inOrder(one, other, 'asc') > 0 ? one : other)
