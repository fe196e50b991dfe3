import { writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Log } from '../platform/domain.ts'

/** Log of the service: lines of JSON on standard error, for log collectors. Never contains a secret. */
export const openLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  destination: { write(line: string): void } = new StandardError(),
): Log & { debug(about: object, line: string): void } =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'secret'],
    },
    destination,
  )

/** Maximum time in milliseconds that a line waits while the reader of a pipe is slow. */
const mostWaiting = 1_000

/**
 * Standard error, whose writes may fail: the disk of a log file is full, the reader of a pipe is gone. That must not
 * end the service. Lines that could not be written are counted, and the count is written before the next line that can
 * be.
 */
export class StandardError {
  readonly #descriptor: number
  #lost = 0

  constructor(descriptor = 2) {
    this.#descriptor = descriptor
  }

  write(line: string): void {
    const note = {
      level: 'warn',
      time: new Date().toISOString(),
      pid: process.pid,
      msg: `${this.#lost} lines of this log could not be written`,
    }
    try {
      this.#writeWhole(Buffer.from(this.#lost === 0 ? line : `${JSON.stringify(note)}\n${line}`))
      this.#lost = 0
    } catch {
      this.#lost += 1
    }
  }

  #writeWhole(bytes: Buffer): void {
    for (let at = 0, waited = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#descriptor, bytes, at)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waited >= (this.#lost > 0 ? 0 : mostWaiting))
          throw error
        waited += 10
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
    }
  }
}
