import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type FrameKind, frameHeader } from './executor-protocol.ts'
import { reached } from './failpoints.ts'

/** Writes frames to the supervisor and, while that does not read, holds back whoever wants to write more. */
export class FrameWriter {
  readonly #socket: Socket
  readonly #sources = new Set<Readable>()
  #full = false

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('drain', () => {
      this.#full = false
      for (const source of this.#sources) source.resume()
    })
  }

  write(kind: FrameKind, channel: number, bytes: Buffer): void {
    if (bytes.length > 0) reached('body-wrote')
    this.#socket.cork()
    this.#socket.write(frameHeader(kind, channel, bytes.length))
    const room =
      bytes.length === 0 ? this.#socket.writableLength < this.#socket.writableHighWaterMark : this.#socket.write(bytes)
    this.#socket.uncork()
    if (room || this.#full) return
    this.#full = true
    for (const source of this.#sources) source.pause()
  }

  /** Resolves when there is room again. */
  async room(): Promise<void> {
    if (this.#full) await once(this.#socket, 'drain')
  }

  add(source: Readable): void {
    this.#sources.add(source)
    if (this.#full) source.pause()
  }

  remove(source: Readable): void {
    this.#sources.delete(source)
  }
}

/** A pipe that a daemon holds open has no end. What was in it when the body ended arrives well within this. */
const quietMilliseconds = 100

/** What programs write into a set of pipes, while they run in these one after the other. */
export class Output {
  /** Bytes that were handed on for the present body. */
  written = 0
  readonly #frames: FrameWriter
  readonly #pipes: Readable[]
  readonly #closed: Promise<unknown>
  #channel: number | undefined
  #pieces = 0
  #lastData = 0

  constructor(frames: FrameWriter, pipes: Partial<Record<FrameKind, Readable>>) {
    this.#frames = frames
    this.#pipes = Object.values(pipes)
    for (const [kind, pipe] of Object.entries(pipes)) this.#read(Number(kind) as FrameKind, pipe)
    this.#closed = Promise.all(this.#pipes.map(pipe => new Promise(resolve => pipe.once('close', resolve))))
  }

  begin(channel: number): void {
    this.#channel = channel
    this.written = 0
  }

  /**
   * Resolves when the pipes are empty, after everybody who wrote for the body has ended or said that they have done so:
   * then all of it is in them, and each turn of the event loop reads what is there. Turns that bring nothing say that
   * nothing is left. (Waiting for a quiet time would cost more than a light step does.)
   */
  async emptied(): Promise<void> {
    for (let turns = 0; turns < 3; ) {
      await this.#frames.room()
      const before = this.#pieces
      await new Promise(resolve => setImmediate(resolve))
      turns = this.#pieces === before ? turns + 1 : 0
    }
  }

  /** Resolves when nobody holds the pipes any more, or they have been quiet. */
  closed(): Promise<unknown> {
    return Promise.race([this.#closed, this.#quiet()])
  }

  /** What is written between two bodies belongs to none. */
  between(): void {
    this.#channel = undefined
  }

  destroy(): void {
    for (const pipe of this.#pipes) pipe.destroy()
  }

  #read(kind: FrameKind, pipe: Readable): void {
    this.#frames.add(pipe)
    pipe.on('data', (bytes: Buffer) => {
      this.#pieces += 1
      this.#lastData = performance.now()
      if (this.#channel === undefined) return
      this.written += bytes.length
      this.#frames.write(kind, this.#channel, bytes)
    })
    // A pipe that breaks has ended; the program's exit says the rest.
    pipe.on('error', () => {})
    pipe.once('close', () => this.#frames.remove(pipe))
  }

  async #quiet(): Promise<void> {
    this.#lastData = performance.now()
    for (;;) {
      await this.#frames.room()
      const left = this.#lastData + quietMilliseconds - performance.now()
      if (left <= 0) return
      await new Promise(resolve => setTimeout(resolve, left))
    }
  }
}
