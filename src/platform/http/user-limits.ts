import type { Socket } from 'node:net'
import { Failure } from '../failure.ts'

/** Limits of one user in one process. */
export interface LimitsOfUser {
  /** Rate limit of the user over all processes together; absent: no limit. */
  readonly requestsPerMinute?: number | undefined
  /** Number of processes that share that limit, each of which admits its part. Default: this one alone. */
  readonly processes?: () => number
  /** Maximum number of open connections; more than any browser, script or proxy has for one person. */
  readonly connections: number
}

export const usualLimits: LimitsOfUser = { connections: 256 }

const minute = 60_000

/** Counts the requests of signed-in users. In memory: a limit that wrote to the database would be a load of its own. */
export class UserLimits {
  readonly #limits: LimitsOfUser
  readonly #requests = new Map<string, { count: number; since: number }>()
  readonly #connections = new Map<string, Set<Socket>>()
  /**
   * Last user of each connection. A proxy's connection carries requests of many users, and counts for the last of them.
   */
  readonly #speaker = new WeakMap<Socket, string>()
  #droppedAt = 0

  constructor(limits: LimitsOfUser) {
    this.#limits = limits
  }

  /** @throws Failure `too-many-requests` (429), with Retry-After */
  admit(userId: string, socket: Socket, now = performance.now()): void {
    this.#countConnection(userId, socket)
    this.#countRequest(userId, now)
  }

  #countRequest(userId: string, now: number): void {
    const inAll = this.#limits.requestsPerMinute
    if (inAll === undefined) return
    const processes = Math.max(1, this.#limits.processes?.() ?? 1)
    const most = Math.max(1, Math.ceil(inAll / processes))
    this.#dropOld(now)
    const known = this.#requests.get(userId)
    const minuteOf = known && now - known.since < minute ? known : { count: 0, since: now }
    minuteOf.count += 1
    this.#requests.set(userId, minuteOf)
    if (minuteOf.count <= most) return
    const seconds = Math.max(1, Math.ceil((minuteOf.since + minute - now) / 1_000))
    const part = processes > 1 ? `, its part of ${inAll} among ${processes} processes` : ''
    throw tooMany(`You have sent ${most} requests within a minute, as many as one user may send here${part}.`, seconds)
  }

  #countConnection(userId: string, socket: Socket): void {
    const before = this.#speaker.get(socket)
    if (before === userId) return
    const own = this.#connections.get(userId) ?? new Set()
    if (own.size >= this.#limits.connections) {
      const detail = `You have ${own.size} connections open, as many as one user may have here. Close some of them.`
      throw tooMany(detail, 1, { connection: 'close' })
    }
    this.#connections.set(userId, own.add(socket))
    this.#speaker.set(socket, userId)
    if (before === undefined) socket.once('close', () => this.#release(this.#speaker.get(socket)!, socket))
    else this.#release(before, socket)
  }

  #release(userId: string, socket: Socket): void {
    const own = this.#connections.get(userId)
    own?.delete(socket)
    if (own?.size === 0) this.#connections.delete(userId)
  }

  /** Removes users without a request since the last minute, once a minute. */
  #dropOld(now: number): void {
    if (now - this.#droppedAt < minute) return
    this.#droppedAt = now
    for (const [userId, { since }] of this.#requests) if (now - since >= minute) this.#requests.delete(userId)
  }
}

const tooMany = (said: string, seconds: number, headers: Record<string, string> = {}): Failure =>
  new Failure([{ code: 'too-many-requests', detail: `${said} Ask again in ${seconds} s.` }], {
    'retry-after': String(seconds),
    ...headers,
  })
