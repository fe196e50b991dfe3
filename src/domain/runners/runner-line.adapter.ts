import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ToRunner } from '#protocol/runner-protocol.ts'

/** The service's end of one connection of one runner. Messages sent after it is closed are lost. */
export class RunnerLine {
  readonly #socket: WebSocket
  #closed = false
  #corked = false

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.once('close', () => {
      this.#closed = true
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  send(message: ToRunner): void {
    this.sendText(JSON.stringify(message))
  }

  /**
   * Sends all messages of one turn of the event loop in one write, such as the next step and the acknowledgement of the
   * last.
   */
  sendText(text: string): void {
    if (this.#closed) return
    if (!this.#corked) {
      const { _socket: line } = this.#socket as unknown as { _socket: Socket }
      this.#corked = true
      line.cork()
      process.nextTick(() => {
        this.#corked = false
        line.uncork()
      })
    }
    this.#socket.send(text)
  }

  close(code: number): void {
    this.#socket.close(code)
  }
}
