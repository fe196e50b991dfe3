import { closeSync, fsync, fsyncSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Approximate maximum size of a file; once the file before it is acknowledged, the next one replaces it. */
const fileBytes = 8 * 1_048_576

/**
 * Milliseconds after which an unacknowledged result is flushed to the disk. A reachable service has stored it by then,
 * even if it serves fifty changes at once: with 50 ms a third of their steps were flushed nonetheless, for a fifth of
 * the cost of their runners. Waiting for the disk (0.2 ms on a good one) with each result would cost more than all
 * other work of the runner for a light step. The flush only saves a result if the whole machine dies.
 */
const unflushedMilliseconds = 250

type SpoolFile = { path: string; lastSeq: number }

/**
 * Storage of the spool on disk: lines of JSON in files that follow each other by name. A file all of whose messages are
 * acknowledged is removed, so that a step that prints for days takes no more disk space than a short one.
 */
export class SpoolFiles {
  readonly #folder: string
  readonly #complain: (line: string) => void
  /** Complete files, oldest first, and at the end the file that is being written. */
  readonly #files: SpoolFile[] = []
  /** Descriptor of the last file. */
  #descriptor: number | undefined
  #bytes = 0
  #count = 0
  /** Whether the file does not end with a complete line. */
  #cut = false
  /** The last message that must survive a crash of the machine and does not yet, and since when it waits for that. */
  #toFlush = 0
  #waitingSince = 0
  #flushTimer: NodeJS.Timeout | undefined

  constructor(folder: string, complain: (line: string) => void) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#complain = complain
  }

  /**
   * @param line with its line feed
   * @param durable whether it is flushed to the disk unless it is acknowledged soon; until then it only survives this
   *   process
   */
  write(seq: number, line: Buffer, durable: boolean): void {
    try {
      const file = this.#open()
      // After a line that was cut off by a full disk the next one starts on a new line.
      const bytes = this.#cut ? Buffer.concat([Buffer.from('\n'), line]) : line
      this.#cut = true
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      this.#cut = false
      this.#bytes += bytes.length
      this.#files.at(-1)!.lastSeq = seq
      if (durable) this.#flushSoon(seq)
    } catch (error) {
      // A full disk must not end the steps: the message is still sent from memory.
      this.#complain(`the spool cannot be written: ${error}`)
    }
  }

  acknowledged(upTo: number): void {
    if (this.#toFlush <= upTo) this.#toFlush = 0
    while (this.#files.length > 0 && this.#files[0]!.lastSeq <= upTo) {
      if (this.#files.length === 1) {
        // The current file is removed when it is full.
        if (this.#bytes < fileBytes) return
        this.#close()
      }
      this.#remove(this.#files.shift()!.path)
    }
  }

  #open(): number {
    if (this.#descriptor !== undefined && this.#bytes >= fileBytes) this.#close()
    if (this.#descriptor === undefined) {
      const path = join(this.#folder, `messages-${String(this.#count + 1).padStart(9, '0')}.ndjson`)
      this.#descriptor = openSync(path, 'a', 0o600)
      this.#count++
      this.#files.push({ path, lastSeq: 0 })
      this.#bytes = 0
      this.#cut = false
    }
    return this.#descriptor
  }

  #flushSoon(seq: number): void {
    if (this.#toFlush === 0) this.#waitingSince = performance.now()
    this.#toFlush = seq
    this.#flushTimer ??= setTimeout(() => this.#flush(), unflushedMilliseconds)
  }

  /**
   * Handles the timer: the message that it was set for may be acknowledged by now, and the waiting ones may be younger.
   */
  #flush(): void {
    this.#flushTimer = undefined
    if (this.#toFlush === 0 || this.#descriptor === undefined) return
    const left = this.#waitingSince + unflushedMilliseconds - performance.now()
    if (left > 0) {
      this.#flushTimer = setTimeout(() => this.#flush(), Math.ceil(left))
      return
    }
    fsync(this.#descriptor, error => {
      if (error) this.#complain(`the spool may not be on the disk: ${error}`)
    })
  }

  #close(): void {
    const descriptor = this.#descriptor!
    this.#descriptor = undefined
    try {
      if (this.#toFlush > 0) fsyncSync(descriptor)
    } catch (error) {
      this.#complain(`the spool may not be on the disk: ${error}`)
    } finally {
      closeSync(descriptor)
    }
  }

  #remove(path: string): void {
    try {
      unlinkSync(path)
    } catch (error) {
      // Its messages are stored; a reader that finds the file again recognizes them by their numbers.
      this.#complain(`${path} cannot be removed: ${error}`)
    }
  }
}
