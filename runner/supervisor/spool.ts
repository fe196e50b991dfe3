import type { Attempt, Numbered } from '../../protocol/runner-protocol.ts'
import { Ring } from './ring-buffer.ts'
import { SpoolFiles } from './spool-files.ts'

/** Message without a number, before the spool numbers it. */
export type Unnumbered = Numbered extends infer Each ? (Each extends Numbered ? Omit<Each, 'seq'> : never) : never

/** `line`: the message as a line of JSON, including its line feed. */
type SpooledMessage = { seq: number; line: Buffer; result?: Attempt }

/**
 * Queue of the messages that the service has not yet acknowledged, in order: in memory to be sent, and in files that
 * outlive this process (the service reads them before it gives a lost runner up). Everything is written before it is
 * sent; results that are not acknowledged soon are also flushed to the disk.
 */
export class Spool {
  readonly #files: SpoolFiles
  readonly #kept: SpooledMessage[] = []
  readonly #ring: Ring
  /** Number of unacknowledged messages already sent, and their bytes. */
  #sent = 0
  #sentBytes = 0
  #lastSeq = 0
  /** Size of all unacknowledged messages. */
  bytes = 0

  /** @param usualBytes maximum size of unacknowledged messages, except for large single messages */
  constructor(folder: string, usualBytes: number, complain: (line: string) => void) {
    this.#files = new SpoolFiles(folder, complain)
    this.#ring = new Ring(usualBytes)
  }

  /** Numbers the message and stores it. */
  add(message: Unnumbered): void {
    const seq = ++this.#lastSeq
    const line = this.#ring.keep(`${JSON.stringify({ ...message, seq })}\n`)
    const { stepId, attempt, fence } = message
    this.#kept.push({ seq, line, ...(message.type === 'result' && { result: { stepId, attempt, fence } }) })
    this.bytes += line.length
    this.#files.write(seq, line, message.type === 'result')
  }

  /** Next message to send, while less than `underWayBytes` bytes are unacknowledged; valid until it is acknowledged. */
  next(underWayBytes: number): Buffer | undefined {
    const next = this.#kept[this.#sent]
    if (!next || this.#sentBytes >= underWayBytes) return undefined
    this.#sent++
    this.#sentBytes += next.line.length
    return next.line.subarray(0, -1)
  }

  /** Prepares for a new connection: nothing is in flight, and everything unacknowledged is sent again, unchanged. */
  startOver(): void {
    this.#sent = 0
    this.#sentBytes = 0
  }

  acknowledged(upTo: number): void {
    const next = this.#kept.findIndex(({ seq }) => seq > upTo)
    const gone = this.#kept.splice(0, next < 0 ? this.#kept.length : next)
    const sum = (some: readonly SpooledMessage[]) => some.reduce((bytes, each) => bytes + each.line.length, 0)
    this.bytes -= sum(gone)
    this.#sentBytes -= sum(gone.slice(0, this.#sent))
    this.#sent = Math.max(0, this.#sent - gone.length)
    this.#ring.release(gone.length)
    this.#files.acknowledged(upTo)
  }

  /** Returns the attempts whose result is in the spool. */
  reported(): Attempt[] {
    return this.#kept.flatMap(({ result }) => (result ? [result] : []))
  }

  get empty(): boolean {
    return this.#kept.length === 0
  }
}
