import type { Readable } from 'node:stream'
import { failpoint } from '../failpoints.ts'
import type { Stream } from '../step/step-log.ts'

/** Receiver of a body's output, as it is written. */
export type Take = (stream: Stream, bytes: Buffer) => void
/** Called with a secret that a body receives while it runs, before the body can write it. */
export type Hide = (secret: string) => void

/** Whether the runner takes what bodies write: while too much is unacknowledged it stays in their pipes, and they wait. */
export class Intake {
  readonly #pipes = new Set<Readable>()
  #released: PromiseWithResolvers<void> | undefined

  /** Number of times that it was held. */
  holds = 0

  hold(on: boolean): void {
    if (on === (this.#released !== undefined)) return
    for (const pipe of this.#pipes)
      if (on) pipe.pause()
      else pipe.resume()
    if (on) this.holds += 1
    this.#released?.resolve()
    this.#released = on ? Promise.withResolvers() : undefined
  }

  /** Resolves when it is not held; undefined while it is not. */
  get released(): Promise<void> | undefined {
    return this.#released?.promise
  }

  add(pipe: Readable): void {
    this.#pipes.add(pipe)
    if (this.#released) pipe.pause()
  }

  remove(pipe: Readable): void {
    this.#pipes.delete(pipe)
  }

  /**
   * Takes all that is left in the pipes of a body that has ended, held or not: it is no more than they hold, and the
   * caller may be ending because the service accepts nothing any more.
   */
  async takeAll(pipes: readonly Readable[], all: () => Promise<unknown>): Promise<void> {
    for (const pipe of pipes) {
      this.remove(pipe)
      pipe.resume()
    }
    await all()
    for (const pipe of pipes) if (!pipe.destroyed) this.add(pipe)
  }
}

/**
 * Quiet time in milliseconds after which reading stops. A pipe that a daemon keeps open has no end; output that was in
 * it when the body ended arrives well within this time.
 */
const quietMilliseconds = 100
/** Maximum time in milliseconds for which reading continues, for a daemon that writes without a pause. */
const longestMilliseconds = 2_000
/**
 * Maximum number of bytes in a pipe, unless root has enlarged it: once as many have been read, everything that was in
 * the pipe when the body ended has been read.
 */
const mostInPipe = 1_048_576

/** Output that programs write into one set of pipes, one program after the other. */
export class Output {
  readonly #intake: Intake
  readonly #pipes: Readable[]
  readonly #closed: Promise<unknown>
  #take: Take | undefined
  #bytes = 0
  #lastData = 0
  #holdsBefore = 0

  constructor(intake: Intake, pipes: Partial<Record<Stream, Readable>>) {
    this.#intake = intake
    this.#pipes = Object.values(pipes)
    for (const [stream, pipe] of Object.entries(pipes)) this.#read(stream as Stream, pipe)
    this.#closed = Promise.all(this.#pipes.map(pipe => new Promise(resolve => pipe.once('close', resolve))))
  }

  begin(take: Take): void {
    this.#take = take
    // Held now counts as held since.
    this.#holdsBefore = this.#intake.holds - (this.#intake.released === undefined ? 0 : 1)
  }

  /**
   * Resolves when the pipes are empty, after everybody who wrote for the body has ended or said that they have done so:
   * then all of it is in them, and the turn of the event loop that has found their word has found that as well. One that
   * brings nothing says that nothing is left; where pipes were held, a second one, for the first may have looked before
   * they were read again. (Waiting for a quiet time would cost more than a light step does.)
   */
  emptied(): Promise<void> {
    const turns = this.#intake.holds === this.#holdsBefore ? 1 : 2
    return this.#intake.takeAll(this.#pipes, () => this.#nothingComes(turns))
  }

  /**
   * Resolves when no process holds the pipes any more, or everything that was in them when the body ended has arrived.
   */
  closed(): Promise<void> {
    return this.#intake.takeAll(this.#pipes, () => Promise.race([this.#closed, this.#quiet()]))
  }

  /** Discards what is written between two bodies, which belongs to neither. */
  between(): void {
    this.#take = undefined
  }

  destroy(): void {
    for (const pipe of this.#pipes) pipe.destroy()
  }

  #read(stream: Stream, pipe: Readable): void {
    this.#intake.add(pipe)
    pipe.on('data', (bytes: Buffer) => {
      this.#bytes += bytes.length
      this.#lastData = performance.now()
      if (this.#take === undefined) return
      failpoint('body-wrote')
      this.#take(stream, bytes)
    })
    // A pipe that breaks has ended; the program's exit says the rest.
    pipe.on('error', () => {})
    pipe.once('close', () => this.#intake.remove(pipe))
  }

  async #quiet(): Promise<void> {
    const began = performance.now()
    const enough = this.#bytes + this.#pipes.length * mostInPipe
    this.#lastData = began
    for (let now = began; now - began < longestMilliseconds && this.#bytes < enough; now = performance.now()) {
      const left = this.#lastData + quietMilliseconds - now
      if (left <= 0) break
      await new Promise(resolve => setTimeout(resolve, left))
    }
    // A timer may be late, and come before what has been there for long.
    await this.#nothingComes(2, enough)
  }

  /** Resolves after `turns` turns of the event loop in a row without data, or when enough has arrived. */
  async #nothingComes(turns: number, enough = Number.POSITIVE_INFINITY): Promise<void> {
    for (let quiet = 0; quiet < turns && this.#bytes < enough; ) {
      const before = this.#bytes
      await new Promise(resolve => setImmediate(resolve))
      quiet = this.#bytes === before ? quiet + 1 : 0
    }
  }
}
