import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { type FrameKind, frame, frameHeader } from './executor-protocol.ts'
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

/** What one body writes, until the body has ended and its pipes are empty. */
export class BodyOutput {
  readonly #channel: number
  readonly #pipes: Readable[]
  readonly #frames: FrameWriter
  readonly #closed: Promise<unknown>
  #lastData = performance.now()

  constructor(channel: number, pipes: { stdout: Readable; stderr: Readable }, frames: FrameWriter) {
    this.#channel = channel
    this.#frames = frames
    this.#pipes = [pipes.stdout, pipes.stderr]
    this.#read(pipes.stdout, frame.stdout)
    this.#read(pipes.stderr, frame.stderr)
    this.#closed = Promise.all(this.#pipes.map(pipe => new Promise(resolve => pipe.once('close', resolve))))
  }

  /** Resolves once all of it has been handed on, and the end after it. */
  async finish(): Promise<void> {
    await Promise.race([this.#closed, this.#quiet()])
    for (const pipe of this.#pipes) {
      this.#frames.remove(pipe)
      pipe.destroy()
    }
    this.#frames.write(frame.end, this.#channel, Buffer.alloc(0))
  }

  #read(pipe: Readable, kind: FrameKind): void {
    this.#frames.add(pipe)
    pipe.on('data', (bytes: Buffer) => {
      this.#lastData = performance.now()
      this.#frames.write(kind, this.#channel, bytes)
    })
    // A pipe that breaks has ended; the program's exit says the rest.
    pipe.on('error', () => {})
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
