import assert from 'node:assert/strict'
import { basicOf } from '../support/api.ts'
import { passwordOf } from '../support/service.ts'
import { type Came, type Dial, dial } from './dial.ts'
import type { Person } from './person.ts'

/** What can be followed. */
export interface Followed {
  readonly list: 'changes' | 'workflow_runs' | 'events' | 'activities'
  /** Of one activity, and where rights on it hang. */
  readonly id?: string
  readonly place?: string
}

export interface Token {
  readonly id: string
  readonly secret: string
}

/** Live streams ask for rights anew every 10 s; the rest is for a machine that is busy. */
export const graceMilliseconds = 12_000

/** Somebody who follows something, however often they have to dial for it. */
export class Listener {
  readonly name: string
  readonly followed: Followed
  readonly person: Person | undefined
  /** All that came, put together over the connections. */
  came: Came[] = []
  /** What a browser would send when it dials again. */
  lastId: string | undefined
  /** When it first knew where to go on: what happened after that it has to be told. */
  since = Number.POSITIVE_INFINITY
  token: Token | undefined
  signedOutAt: number | undefined
  /** All that ever came, also what it has forgotten; `from`: since when it may have been under way. */
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

  /** Goes on behind what it has, and is answered as its rights are just now. */
  async dials(address: string, isAlive: () => boolean): Promise<void> {
    this.dialled?.hangUp()
    const ask = { address, path: this.path, authorization: this.authorization, lastEventId: this.lastId }
    let dialled: Dial | undefined
    const taken = (came: Came) => {
      if (this.dialled === dialled) this.take(came)
    }
    this.stalledAt = undefined
    // Whatever comes with the answer itself comes behind this.
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
    // Nobody who is blocked may read anything: whether an empty stream is refused to them is said nowhere.
    if (place === undefined) return this.person?.now.blocked ? [200, 403, 404] : [200]
    if (this.person && !this.person.mayRead(place)) return [404]
    return [this.hasEnded ? 204 : 200]
  }

  /** Dials with something that was never an id of this stream. */
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

  /** Forgets what came behind some message, as a client does that was written back to a backup. */
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

  /** Until what it has is as wanted, its connection is over, or this time has passed. */
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
