import { connect, type Socket } from 'node:net'

const endOfHead = Buffer.from('\r\n\r\n')
/** Size of the buffer in bytes, enough for the longest measured response. */
const room = 8 * 1024 * 1024

export interface QuietAnswer {
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly milliseconds: number
  readonly status: number
  /** Empty if there is none. */
  readonly etag: string
  /** Size of the body. */
  readonly bytes: number
  readonly text: () => string
}

/**
 * One connection that sends one request after the other, into the same memory. On a machine of two processors, a client
 * that creates objects from its responses occupies one of them with its own garbage collector, which would be measured
 * too.
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

  /** @returns milliseconds to the last byte; throws on an error response */
  async get(path: string, authorization: string): Promise<number> {
    const { milliseconds, status, text } = await this.ask(path, { authorization })
    if (status !== 200 && status !== 206) throw new Error(`${path} was answered ${status}: ${text()}`)
    return milliseconds
  }

  /** Sends a request. Call `text()` before the next request: responses share their memory. */
  async ask(path: string, headers: Readonly<Record<string, string>>): Promise<QuietAnswer> {
    const socket = await this.#socket
    const lines = Object.entries({ host: this.#host, accept: 'application/vnd.api+json', ...headers })
    const asked = `GET ${path} HTTP/1.1\r\n${lines.map(line => line.join(': ')).join('\r\n')}\r\n\r\n`
    this.#length = 0
    const from = performance.now()
    const arrived = new Promise<void>((resolve, reject) => {
      this.#fail = reject
      this.#arrive = () => {
        if (this.#length >= this.#whole()) resolve()
      }
    })
    socket.write(asked)
    await arrived
    const milliseconds = performance.now() - from
    const end = this.#arrived.indexOf(endOfHead)
    const head = this.#arrived.toString('latin1', 0, end)
    return {
      milliseconds,
      status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
      etag: /\r\netag: ([^\r]+)/i.exec(head)?.[1] ?? '',
      bytes: this.#length - end - endOfHead.length,
      text: () => this.#arrived.toString('utf8', end + endOfHead.length, this.#length),
    }
  }

  /** Length of the response with its head, as the head declares it; infinite as long as it is not known. */
  #whole(): number {
    const end = this.#arrived.subarray(0, this.#length).indexOf(endOfHead)
    if (end < 0) return Infinity
    const head = this.#arrived.toString('latin1', 0, end)
    if (head.startsWith('HTTP/1.1 304')) return end + endOfHead.length
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error('the answer does not say how long it is')
    return end + endOfHead.length + Number(length)
  }

  async close(): Promise<void> {
    this.#fail = undefined
    ;(await this.#socket).destroy()
  }
}
