import { connect, type Socket } from 'node:net'

const endOfHead = Buffer.from('\r\n\r\n')
/** A whole page of records fits in. */
const room = 1024 * 1024

/**
 * One connection that asks for one thing after the other, into the same memory. On a machine of two processors a client
 * that makes objects of what it reads takes one of them for its own collector, and that is then measured as well.
 */
export class QuietClient {
  readonly #host: string
  readonly #socket: Promise<Socket>
  readonly #arrived = Buffer.alloc(room)
  #length = 0
  #arrive: (() => void) | undefined
  #fail: ((error: Error) => void) | undefined

  constructor(url: string) {
    const { hostname, port, host } = new URL(url)
    this.#host = host
    this.#socket = new Promise((resolve, reject) => {
      const socket: Socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          buffer: Buffer.alloc(256 * 1024),
          callback: (bytes, buffer) => {
            if (this.#length + bytes > room) throw new Error(`an answer is longer than ${room} bytes`)
            this.#length += Buffer.from(buffer.buffer, buffer.byteOffset, bytes).copy(this.#arrived, this.#length)
            this.#arrive?.()
            return true
          },
        },
      })
      socket.once('connect', () => resolve(socket)).once('error', reject)
      const broke = (error?: Error) => this.#fail?.(error ?? new Error('the service has closed the connection'))
      socket.on('error', broke).on('close', () => broke())
    })
  }

  /** @returns milliseconds to the last byte; throws when it is no success */
  async get(path: string, authorization: string): Promise<number> {
    const socket = await this.#socket
    const head = `GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\naccept: application/vnd.api+json\r\nauthorization: ${authorization}\r\n\r\n`
    this.#length = 0
    const from = performance.now()
    const arrived = new Promise<void>((resolve, reject) => {
      this.#fail = reject
      this.#arrive = () => {
        if (this.#length >= this.#whole()) resolve()
      }
    })
    socket.write(head)
    await arrived
    const milliseconds = performance.now() - from
    const text = this.#arrived.toString('latin1', 0, 12)
    if (!/^HTTP\/1\.1 20[06]$/.test(text))
      throw new Error(`${path} was answered ${this.#arrived.toString('utf8', 0, this.#length)}`)
    return milliseconds
  }

  /** What its head says that the answer is long, with the head; infinite as long as that is not known. */
  #whole(): number {
    const end = this.#arrived.subarray(0, this.#length).indexOf(endOfHead)
    if (end < 0) return Infinity
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#arrived.toString('latin1', 0, end))?.[1]
    if (length === undefined) throw new Error('the answer does not say how long it is')
    return end + endOfHead.length + Number(length)
  }

  async close(): Promise<void> {
    this.#fail = undefined
    ;(await this.#socket).destroy()
  }
}
