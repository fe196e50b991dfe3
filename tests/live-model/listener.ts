import assert from 'node:assert/strict'
import { basicOf } from '../support/api.ts'
import { passwordOf } from '../support/service.ts'
import { type Came, type Dial, dial } from './dial.ts'
import type { Person } from './person.ts'

/** Streams that can be followed. */
export interface Followed {
  readonly list: 'changes' | 'workflow_runs' | 'events' | 'activities'
  /** Path of the rights, for the stream of one activity. */
  readonly id?: string
  readonly place?: string
}

export interface Token {
  readonly id: string
  readonly secret: string
}

/** Live streams check rights every 10 s; the rest is for a busy machine. */
export const graceMilliseconds = 12_000

/** A listener of a stream, however often it reconnects. */
export class Listener {
  readonly name: string
  readonly followed: Followed
  readonly person: Person | undefined
  /** All received messages, over all connections. */
  came: Came[] = []
  /** Last-Event-ID that a browser would send. */
  lastId: string | undefined
  /** Time at which it first had a position: it must receive everything after that. */
  since = Number.POSITIVE_INFINITY
  token: Token | undefined
  signedOutAt: number | undefined
  /** All messages ever received, including forgotten ones; `from`: earliest time at which one may have been sent. */
  readonly arrivals: { readonly came: Came; readonly from: number }[] = []
  readonly wrong: string[] = []
  private dialled: Dial | undefined
  private stalledAt: number | undefined
  private heard = () => {}

  constructor(of: { name: string; followed: Followed; person: Person | undefined }) {
    this.name = of.name
    this.followed = of.followed
    this.person = of.person
  }

  get path(): string {
    const { list, id } = this.followed
    return id === undefined ? `/api/${list}/live` : `/api/${list}/${id}/live`
  }

  get hasEnded(): boolean {
    return this.came.at(-1)?.kind === 'end'
  }

  get isOpen(): boolean {
    return this.dialled !== undefined && !this.dialled.isOver()
  }

  get authorization(): string {
    if (this.token) return `Bearer ${this.token.secret}`
    return this.person?.authorization ?? basicOf('admin', passwordOf('admin'))
  }

  /** Resumes behind its position, with its current rights. */
  async dials(address: string, isAlive: () => boolean): Promise<void> {
    this.dialled?.hangUp()
    const ask = { address, path: this.path, authorization: this.authorization, lastEventId: this.lastId }
    let dialled: Dial | undefined
    const taken = (came: Came) => {
      if (this.dialled === dialled) this.take(came)
    }
    this.stalledAt = undefined
    // Messages within the response itself come after this.
    this.dialled = undefined
    const note = (id: string) => {
      if (this.dialled !== dialled) return
      this.lastId = id
      this.since = Math.min(this.since, performance.now())
    }
    dialled = await dial(ask, { take: taken, note, over: () => this.heard() })
    this.dialled = dialled
    if (dialled.status === 0) return assert.ok(!isAlive(), `${this.name}: nobody answers at ${address}`)
    const expected = this.expected()
    assert.ok(expected.includes(dialled.status), `${this.name}: ${dialled.status}, not ${expected}: ${dialled.text}`)
  }

  private expected(): number[] {
    if (this.signedOutAt !== undefined || this.person?.now.disabled) return [401]
    const { place } = this.followed
    // A blocked user may read nothing: whether an empty stream is refused to them is not specified.
    if (place === undefined) return this.person?.now.blocked ? [200, 403, 404] : [200]
    if (this.person && !this.person.mayRead(place)) return [404]
    return [this.hasEnded ? 204 : 200]
  }

  /** Connects with an id that was never one of this stream. */
  async isRefused(address: string, lastEventId: string): Promise<void> {
    const ask = { address, path: this.path, authorization: this.authorization, lastEventId }
    const refused = await dial(ask, { take: () => {}, note: () => {}, over: () => {} })
    refused.hangUp()
    const expected = this.expected().map(status => (status === 200 || status === 204 ? 400 : status))
    if (refused.status === 0) return
    assert.ok(expected.includes(refused.status), `${this.name}: ${refused.status}, not ${expected}, to ${lastEventId}`)
    if (refused.status === 400) assert.equal(JSON.parse(refused.text).errors[0].code, 'wrong-header')
  }

  hangsUp(): void {
    this.dialled?.hangUp()
  }

  stalls(): void {
    this.stalledAt ??= performance.now()
    this.dialled?.stall()
  }

  goesOn(): void {
    this.dialled?.goOn()
  }

  /** Drops the messages after a given one, like a client that was restored from a backup. */
  goesBack(which: number): boolean {
    const marked = this.came.flatMap(({ id }, at) => (id === undefined ? [] : [at]))
    if (marked.length === 0) return false
    this.hangsUp()
    const at = marked[which % marked.length]!
    this.came = this.came.slice(0, at + 1)
    this.lastId = this.came[at]!.id
    return true
  }

  signsOut(): void {
    this.signedOutAt = performance.now()
  }

  signsIn(token: Token | undefined): void {
    this.hangsUp()
    this.token = token
    this.signedOutAt = undefined
  }

  /** Waits until the messages are as wanted, the connection is over, or this time has passed. */
  async hears(isSo: () => boolean, milliseconds: number): Promise<void> {
    const signal = AbortSignal.timeout(milliseconds)
    signal.addEventListener('abort', () => this.heard())
    while (!isSo() && this.isOpen && !signal.aborted) await new Promise<void>(resolve => (this.heard = resolve))
  }

  private take(came: Came): void {
    if (this.hasEnded) this.wrong.push(`${came.kind} came behind the end`)
    this.came.push(came)
    this.arrivals.push({ came, from: this.stalledAt ?? came.at })
    if (this.signedOutAt !== undefined && came.at - this.signedOutAt > graceMilliseconds && !this.stalledAt)
      this.wrong.push(`${came.kind} came to one who has signed out`)
    this.heard()
  }
}
