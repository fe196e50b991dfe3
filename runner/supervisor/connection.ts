import type { ClientRequest, IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { fromJson } from '../../json/from-json.ts'
import {
  type Alive,
  closeCodes,
  limits as defaults,
  type Hello,
  leaseHeader,
  type Masked,
  type MaskedTexts,
  runnerSocketPath,
  type ToRunner,
} from '../../protocol/runner-protocol.ts'

import type { ServiceAddress } from './service-address.ts'

export type ConnectionEvents = {
  hello(): Hello
  /** A message of the service; `welcome` is the first after each (re)connection. */
  message(message: ToRunner): void
  /** Called after the welcome: messages that the service has not acknowledged have to be sent again. */
  welcomed(): void
  /** Called when the service has given this runner up, or knows nothing of it. */
  gone(why: string): void
  ended(): void
}

export type ConnectionLimits = { aliveMilliseconds: number; silenceMilliseconds: number; longestPause: number }

/**
 * Statuses of a refused runner. A service that answers with one of them for as long as the silence may last does not
 * know this runner.
 */
const refusals = new Set([401, 403, 404])

/**
 * The runner's connection to the service: connects, says hello, renews the lease, and reconnects for as long as
 * necessary. Messages to send are in the spool; nothing is stored here.
 */
export class Connection {
  readonly #address: ServiceAddress
  readonly #secret: string
  readonly #events: ConnectionEvents
  readonly #limits: ConnectionLimits
  #socket: WebSocket | undefined
  /** Whether there is a connection on which messages can be sent. */
  welcomed = false
  #closed = false
  #pause = 100
  #aliveSent = 0
  #aliveTimer: NodeJS.Timeout | undefined
  #lastRenewal = performance.now()
  #refusedSince: number | undefined
  /** The address of the connection, or of the attempt to connect. */
  #dialled = ''

  constructor(options: {
    address: ServiceAddress
    secret: string
    limits: ConnectionLimits
    events: ConnectionEvents
  }) {
    this.#address = options.address
    this.#secret = options.secret
    this.#events = options.events
    this.#limits = options.limits
    this.#dial()
  }

  /** Milliseconds since the request for the last lease that the service confirmed. */
  get silence(): number {
    return performance.now() - this.#lastRenewal
  }

  /** @param message JSON as UTF-8 */
  send(message: Buffer): void {
    this.#socket?.send(message, { binary: false })
  }

  say(message: Masked | MaskedTexts): void {
    this.#socket?.send(JSON.stringify(message))
  }

  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#aliveTimer)
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return Promise.resolve()
    return new Promise(resolve => {
      socket.once('close', () => resolve())
      socket.close(closeCodes.ended)
    })
  }

  #dial(): void {
    if (this.#closed) return
    const dialled = performance.now()
    const address = this.#address.current()
    const socket = new WebSocket(sessionUrl(address), {
      headers: { authorization: `Bearer ${this.#secret}` },
      handshakeTimeout: 10_000,
      maxPayload: defaults.messageBytes,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('open', () => socket.send(JSON.stringify(this.#events.hello())))
    socket.on('message', data => this.#hear(socket, fromJson(String(data)) as ToRunner))
    socket.on('unexpected-response', (request, response) => this.#refused(request, response, dialled))
    // 'close' follows and reconnects; the reason is irrelevant while the service is unavailable.
    socket.on('error', () => {})
    socket.on('close', code => this.#lost(socket, code))
    this.#dialled = address
  }

  #hear(socket: WebSocket, message: ToRunner): void {
    if (socket !== this.#socket || this.#closed) return
    if (message.type === 'alive') {
      this.#lastRenewal = this.#aliveSent
      clearTimeout(this.#aliveTimer)
      this.#aliveTimer = setTimeout(() => this.#renew(), this.#limits.aliveMilliseconds)
      return
    }
    this.#events.message(message)
    if (message.type === 'welcome') {
      this.welcomed = true
      this.#address.answered(this.#dialled)
      this.#pause = 100
      this.#refusedSince = undefined
      this.#events.welcomed()
      this.#renew()
    }
  }

  #renew(): void {
    this.#aliveSent = performance.now()
    this.#socket?.send(JSON.stringify({ type: 'alive' } satisfies Alive))
    // A connection without responses counts as broken: the peer may have vanished without closing it.
    this.#aliveTimer = setTimeout(() => this.#socket?.terminate(), this.#limits.aliveMilliseconds * 4)
  }

  #refused(request: ClientRequest, response: IncomingMessage, dialled: number): void {
    const status = response.statusCode ?? 0
    response.resume()
    request.destroy()
    if (response.headers[leaseHeader] === 'renewed') {
      this.#lastRenewal = dialled
      this.#refusedSince = undefined
    }
    if (status === 410) this.#give('the service has given this runner up')
    else if (refusals.has(status) && this.#refusedTooLong()) this.#give(`the service answers ${status}`)
    else this.#lost(this.#socket!, 0)
  }

  #refusedTooLong(): boolean {
    this.#refusedSince ??= performance.now()
    return performance.now() - this.#refusedSince > this.#limits.silenceMilliseconds
  }

  #give(why: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#events.gone(why)
  }

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket || this.#closed) return
    this.#socket = undefined
    if (this.welcomed) this.#address.lost()
    else this.#address.failed(this.#dialled)
    this.welcomed = false
    clearTimeout(this.#aliveTimer)
    if (code === closeCodes.gone) this.#give('the service has given this runner up')
    else if (code === closeCodes.ended) this.#finish()
    else this.#dialAgain()
  }

  #finish(): void {
    this.#closed = true
    this.#events.ended()
  }

  #dialAgain(): void {
    setTimeout(() => this.#dial(), this.#pause * (0.5 + Math.random()))
    this.#pause = Math.min(this.#pause * 2, this.#limits.longestPause)
  }
}

const sessionUrl = (base: string) => `${base.replace(/^http/, 'ws').replace(/\/$/, '')}${runnerSocketPath}`
