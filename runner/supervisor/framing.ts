import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import { type FrameKind, frame, frameHeader } from './executor-protocol.ts'

/** Writes pieces of artefacts to the supervisor, with backpressure. */
export class FrameWriter {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async piece(channel: number, { file, from, length }: { file: string; from: number; length: number }): Promise<void> {
    for await (const bytes of createReadStream(file, { start: from, end: from + length - 1 })) {
      if (!this.#write(frame.artefact, channel, bytes)) await once(this.#socket, 'drain')
    }
    this.#write(frame.end, channel, Buffer.alloc(0))
  }

  #write(kind: FrameKind, channel: number, bytes: Buffer): boolean {
    this.#socket.cork()
    this.#socket.write(frameHeader(kind, channel, bytes.length))
    const room = this.#socket.write(bytes)
    this.#socket.uncork()
    return room
  }
}
