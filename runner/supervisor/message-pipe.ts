import type { Socket } from 'node:net'
import { fromJson } from '../../json/from-json.ts'
import { complain } from '../complain.ts'

/**
 * Messages as lines of JSON over a socket between two processes of a runner. Node's own channel takes two and a half
 * times as long for each (60 against 24 µs), and a light step needs two messages.
 */
export class MessagePipe<Said> {
  readonly #socket: Socket
  readonly #hear: (message: unknown) => void
  readonly #broken: () => void
  readonly #mostBytes: number
  /** The line that has not ended yet. */
  #pieces: Buffer[] = []
  #bytes = 0

  /**
   * @param broken called for data that is not a message, is longer than `mostBytes`, or makes `hear` throw: then
   *   nothing more is read. The process at the other end may run users' code
   */
  constructor(socket: Socket, hear: (message: unknown) => void, broken: () => void, mostBytes = Infinity) {
    this.#socket = socket
    this.#hear = hear
    this.#broken = broken
    this.#mostBytes = mostBytes
    socket.on('data', (bytes: Buffer) => this.#feed(bytes))
    // The channel has ended when the other process has, which is reported by the end of the process or of the socket.
    socket.on('error', () => {})
  }

  send(message: Said): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  #feed(bytes: Buffer): void {
    let from = 0
    for (let to = bytes.indexOf(lineEnd); to >= 0; to = bytes.indexOf(lineEnd, from)) {
      const message = read(this.#line(bytes.subarray(from, to)))
      from = to + 1
      if (message === undefined || !this.#heard(message.value)) {
        this.#break()
        return
      }
    }
    if (from === bytes.length) return
    this.#pieces.push(from === 0 ? bytes : bytes.subarray(from))
    this.#bytes += bytes.length - from
    if (this.#bytes > this.#mostBytes) this.#break()
  }

  #heard(message: unknown): boolean {
    try {
      this.#hear(message)
      return true
    } catch (error) {
      complain(`a message between processes of the runner could not be handled: ${(error as Error).stack}`)
      return false
    }
  }

  #line(last: Buffer): string {
    if (this.#bytes === 0) return last.toString('utf8')
    const line = Buffer.concat([...this.#pieces, last]).toString('utf8')
    this.#pieces = []
    this.#bytes = 0
    return line
  }

  #break(): void {
    this.#pieces = []
    this.#socket.destroy()
    this.#broken()
  }
}

function read(line: string): { value: unknown } | undefined {
  try {
    return { value: fromJson(line) }
  } catch {
    return undefined
  }
}

const lineEnd = 10
