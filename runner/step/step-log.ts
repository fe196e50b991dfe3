import type { Attempt, LogCategory, LogChunk, LogRun } from '../../protocol/runner-protocol.ts'
import { cutLine, LineReader, printable, type ReadLine } from './lines.ts'
import type { Mask } from './masking.ts'

export type Stream = 'stdout' | 'stderr' | 'action'
export type ChunkLimits = { linesInChunk: number; chunkMilliseconds: number; chunkBytes: number; lineBytes: number }

/**
 * The log of one attempt on its way out: bytes become lines, lines are masked and cut, and go off in chunks as soon as
 * one is full or its first line has waited long enough. A chunk once sent is never split differently: the service
 * recognizes a stored one by (step, attempt, first_seq).
 */
export class StepLog {
  readonly #attempt: Attempt
  readonly #mask: Mask
  readonly #limits: ChunkLimits
  readonly #send: (chunk: Omit<LogChunk, 'seq'>) => void
  readonly #readers = new Map<Stream, LineReader>()
  #nextSeq = 1
  #lines: string[] = []
  #runs: LogRun[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(attempt: Attempt, mask: Mask, limits: ChunkLimits, send: (chunk: Omit<LogChunk, 'seq'>) => void) {
    this.#attempt = attempt
    this.#mask = mask
    this.#limits = limits
    this.#send = send
  }

  bytes(stream: Stream, bytes: Uint8Array): void {
    let reader = this.#readers.get(stream)
    if (!reader) {
      reader = new LineReader(this.#limits.lineBytes + this.#mask.longest)
      this.#readers.set(stream, reader)
    }
    reader.keep(this.#limits.lineBytes + this.#mask.longest)
    const read = reader
    this.#guarded(() => this.#add(stream, read.feed(bytes)))
  }

  /** Confines a failure to the lines that cause it: a line that cannot be handled leaves a mark in its place. */
  #guarded(add: () => void): void {
    try {
      add()
    } catch (error) {
      this.say(`*** [output left out: reading it failed with ${(error as Error).name}]`)
    }
  }

  /** A line of the runner's own. */
  say(message: string): void {
    // It may quote what a step has left, whatever bytes that holds.
    this.#add('runner', printable(message).split('\n'))
  }

  /** Ends the output of the program: its last text is a line even without a line end. */
  endOfOutput(): void {
    for (const [stream, reader] of this.#readers) this.#guarded(() => this.#add(stream, reader.end()))
    this.#readers.clear()
  }

  /** Sends what is there, before the result goes out behind it. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    const [runs, text] = [this.#runs, this.#lines.join('\n')]
    const firstSeq = this.#nextSeq
    this.#nextSeq += this.#lines.length
    this.#lines = []
    this.#runs = []
    this.#bytes = 0
    this.#send({ type: 'log', ...this.#attempt, firstSeq, runs, text })
  }

  #add(category: LogCategory, read: readonly ReadLine[]): void {
    if (read.length === 0) return
    const at = microsecondTime()
    const masked = this.#mask.lines(read.map(line => (typeof line === 'string' ? line : line.head)))
    let run: LogRun | undefined
    for (const [i, text] of masked.entries()) {
      const message = this.#cut(text, read[i]!)
      if (!run) {
        run = [0, at, category]
        this.#runs.push(run)
      }
      run[0]++
      this.#lines.push(message)
      this.#bytes += message.length
      if (this.#lines.length < this.#limits.linesInChunk && this.#bytes < this.#limits.chunkBytes) continue
      this.flush()
      run = undefined
    }
    if (this.#lines.length > 0) this.#timer ??= setTimeout(() => this.flush(), this.#limits.chunkMilliseconds)
  }

  /**
   * Cuts a line of which only the head was read: its end may be within a secret, where it cannot be recognized. Masking
   * the text before it has made the line shorter, and as much is left out at its end as a secret can take.
   */
  #cut(masked: string, read: ReadLine): string {
    const { lineBytes } = this.#limits
    if (typeof read === 'string') return cutLine(masked, lineBytes)
    return cutLine(masked.slice(0, Math.max(0, masked.length - this.#mask.longest)), lineBytes, read.bytes)
  }
}

/** Now, ISO 8601 in UTC with microseconds. */
export function microsecondTime(): string {
  const now = performance.timeOrigin + performance.now()
  const second = Math.floor(now / 1000)
  const micros = Math.floor((now - second * 1000) * 1000)
  return `${upToSecond(second)}.${String(micros).padStart(6, '0')}Z`
}

/**
 * Text of the last second that was formatted. Formatting a date takes as long as all other work for a line, and most
 * lines are of the same second as the one before.
 */
const seconds = { last: Number.NaN, text: '' }

function upToSecond(second: number): string {
  if (second !== seconds.last)
    Object.assign(seconds, { last: second, text: new Date(second * 1000).toISOString().slice(0, 19) })
  return seconds.text
}
