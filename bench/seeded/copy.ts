import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

interface Wire {
  readonly stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(why: string): void
}

/**
 * `copy … from stdin` of pieces in PostgreSQL's text format, sent as fast as PostgreSQL accepts them. The driver knows
 * the messages but has no statement that sends them: this is one, with the methods that the driver calls on its own.
 */
class CopyIn {
  readonly text: string
  readonly ended: Promise<void>
  readonly #pieces: AsyncIterable<string>
  #end!: { resolve(): void; reject(error: unknown): void }

  constructor(text: string, pieces: AsyncIterable<string>) {
    this.text = text
    this.#pieces = pieces
    this.ended = new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
    })
  }

  submit(wire: Wire): void {
    wire.query(this.text)
  }

  handleCopyInResponse(wire: Wire): void {
    this.#send(wire).catch((error: unknown) => {
      wire.sendCopyFail(String(error))
      this.#end.reject(error)
    })
  }

  async #send(wire: Wire): Promise<void> {
    for await (const piece of this.#pieces) {
      wire.sendCopyFromChunk(Buffer.from(piece))
      if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
    }
    wire.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end.resolve()
  }

  handleError(error: Error): void {
    this.#end.reject(error)
  }
}

export async function copyIn(client: pg.Client, text: string, pieces: AsyncIterable<string>): Promise<void> {
  const copy = new CopyIn(text, pieces)
  client.query(copy as unknown as pg.Submittable)
  await copy.ended
}
