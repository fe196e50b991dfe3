import { fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Attempt, Numbered } from '../src/platform/runner-protocol.ts'

/** What the spool numbers: a message before it has its number. */
export type Unnumbered = Numbered extends infer Each ? (Each extends Numbered ? Omit<Each, 'seq'> : never) : never

type Kept = { seq: number; text: string; bytes: number; result?: Attempt }

const tidyAt = 8 * 1_048_576

/**
 * Every message that the service has not yet acknowledged, in order: in memory to be sent again, and in a file for
 * whoever looks when this process is gone (the service reads it before it gives a lost runner up). Results are on the
 * disk before they are sent; log lines are left to the operating system.
 */
export class Spool {
  readonly #file: number
  readonly #kept: Kept[] = []
  readonly #complain: (line: string) => void
  #fileBytes = 0
  /** The file does not end with a whole line. */
  #cut = false
  #lastSeq = 0
  /** Of all that is not acknowledged. */
  bytes = 0

  constructor(folder: string, complain: (line: string) => void) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#file = openSync(join(folder, spoolFile), 'a', 0o600)
    this.#complain = complain
  }

  /** Numbers the message and keeps it; answers the text to send. */
  add(message: Unnumbered): string {
    const seq = ++this.#lastSeq
    const text = JSON.stringify({ ...message, seq })
    const bytes = Buffer.byteLength(text)
    const { stepId, attempt, fence } = message
    this.#kept.push({ seq, text, bytes, ...(message.type === 'result' && { result: { stepId, attempt, fence } }) })
    this.bytes += bytes
    this.#write(`${text}\n`, message.type === 'result')
    return text
  }

  acknowledged(upTo: number): void {
    let count = 0
    while (count < this.#kept.length && this.#kept[count]!.seq <= upTo) this.bytes -= this.#kept[count++]!.bytes
    this.#kept.splice(0, count)
    if (this.#kept.length === 0 && this.#fileBytes > tidyAt) {
      ftruncateSync(this.#file, 0)
      this.#fileBytes = 0
    }
  }

  /** The texts of everything unacknowledged, in order, unchanged. */
  texts(): string[] {
    return this.#kept.map(({ text }) => text)
  }

  /** Attempts whose result is here. */
  reported(): Attempt[] {
    return this.#kept.flatMap(({ result }) => (result ? [result] : []))
  }

  get empty(): boolean {
    return this.#kept.length === 0
  }

  #write(text: string, durable: boolean): void {
    try {
      // After a line that was cut off by a full disk the next one begins anew.
      const bytes = Buffer.from(this.#cut ? `\n${text}` : text)
      this.#cut = true
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
      this.#cut = false
      this.#fileBytes += bytes.length
      if (durable) fsyncSync(this.#file)
    } catch (error) {
      // A full disk must not end the steps: the message still goes out from memory.
      this.#complain(`the spool cannot be written: ${error}`)
    }
  }
}

export const spoolFile = 'messages.ndjson'
