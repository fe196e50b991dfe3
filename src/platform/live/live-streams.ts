import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Actor } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../domain.ts'
import { Failure } from '../failure.ts'
import type { Feed, FeedContext } from './live.ts'
import { heartbeatText, messageText, retryText } from './message.ts'
import { atTheEnd } from './position.ts'

/** Time limits of live streams in milliseconds, and the number of streams per user. */
export interface LiveTimes {
  /**
   * Interval of polls when nothing hints at news: it finds changes by other processes, and transitions without an
   * event.
   */
  readonly poll: number
  /** Minimum pause between two polls: changes that arrive meanwhile are sent together. */
  readonly gap: number
  /** Interval at which rights are checked again. */
  readonly recheck: number
  readonly heartbeat: number
  /** Time for which a client may leave sent data unread, including the end of its stream. */
  readonly unreadTimeout: number
  /** Maximum number of open streams of one user in one process. */
  readonly ofUser: number
}

export const usualTimes: LiveTimes = {
  poll: 50,
  gap: 50,
  recheck: 10_000,
  heartbeat: 15_000,
  unreadTimeout: 30_000,
  ofUser: 32,
}

/** Number of unread bytes from which a stream is sent nothing until they are read. */
const mostUnread = 1024 * 1024
/** Milliseconds to wait after a failed poll: the database is unavailable, and no stream loses anything by waiting. */
const pauseAfterFailure = 1_000
/**
 * Milliseconds for which other streams wait while the rights of one are checked: enough for the database, but not
 * always for a directory.
 */
const pauseForRights = 50
const hints = ['events', 'events_sealed', 'log_lines']

export interface Opening {
  readonly actor: Actor
  readonly feed: Feed
  readonly listed: (actor: Actor) => FeedContext['listed']
  readonly idOf: (position: string) => string
  /** Authenticates the caller again, as when the stream was opened. Throws `Failure` if the caller lost the right. */
  readonly again: () => Promise<Actor>
}

interface Stream extends Opening {
  actor: Actor
  readonly out: Readable
  /** Whether the client accepts more data. */
  wanting: boolean
  /** Whether there may be more to read, even if nothing has changed since. */
  more: boolean
  position: string | undefined
  sentAt: number
  fullSince: number
  checkedAt: number
  /** Whether its rights are being checked. */
  checking: boolean
}

/**
 * The live streams of this process. One reader serves all of them, one after the other, so that a thousand streams use
 * one connection of the pool; while there is no stream, nothing is read.
 */
export class LiveStreams {
  readonly #database: Database
  readonly #log: Log
  readonly #times: LiveTimes
  readonly #streams = new Set<Stream>()
  #reading: Promise<void> | undefined
  #closing = false
  #rung = false
  #wake: (() => void) | undefined

  constructor(options: { database: Database; log: Log; times: LiveTimes }) {
    this.#database = options.database
    this.#log = options.log
    this.#times = options.times
  }

  get size(): number {
    return this.#streams.size
  }

  /** @throws Failure `too-many-requests` when the caller already has the maximum number of streams */
  open(opening: Opening): Readable {
    this.#admit(opening.actor)
    const now = performance.now()
    const out = new Readable({
      highWaterMark: mostUnread,
      read: () => {
        if (stream.wanting) return
        stream.wanting = true
        this.#ring()
      },
    })
    const stream: Stream = {
      ...opening,
      out,
      wanting: true,
      more: true,
      position: undefined,
      sentAt: now,
      fullSince: now,
      checkedAt: now,
      checking: false,
    }
    this.#streams.add(stream)
    out.once('close', () => this.#streams.delete(stream))
    this.#send(stream, retryText(1_000 + Math.floor(Math.random() * 2_000)))
    this.#reading ??= this.#readLoop()
    this.#ring()
    return out
  }

  /**
   * Ends all streams at a stop: clients reconnect to another process, or to this one when it is back, and resume where
   * they were.
   */
  async end(): Promise<void> {
    this.#closing = true
    for (const stream of this.#streams) {
      if (stream.wanting) this.#finish(stream)
      else stream.out.destroy()
    }
    this.#streams.clear()
    this.#ring()
    await this.#reading
  }

  #admit({ userId }: Actor): void {
    if (this.#closing) throw new Failure([{ code: 'unavailable', detail: 'The service is stopping.' }])
    const own = [...this.#streams].filter(stream => stream.actor.userId === userId).length
    if (own < this.#times.ofUser) return
    const detail = `You have ${own} live streams open, as many as one user may have. Close one of them first.`
    throw new Failure([{ code: 'too-many-requests', detail }], { 'retry-after': '10' })
  }

  async #readLoop(): Promise<void> {
    for (const hint of hints) this.#database.hints.on(hint, this.#ring)
    let seen: string | undefined
    while (this.#streams.size > 0) {
      const began = performance.now()
      let pause = this.#times.poll
      try {
        const snapshot = await this.#snapshot()
        await this.#look(snapshot, snapshot !== seen)
        seen = snapshot
        // A stream whose rights are being checked triggers another pass once they are known.
        if ([...this.#streams].some(({ more, wanting, checking }) => more && wanting && !checking)) pause = 0
      } catch (error) {
        this.#log.warn({ err: error }, 'polling for live streams failed; retrying')
        seen = undefined
        pause = pauseAfterFailure
      }
      this.#tend()
      await this.#wait(pause, began)
    }
    for (const hint of hints) this.#database.hints.off(hint, this.#ring)
    this.#reading = undefined
  }

  async #snapshot(): Promise<string> {
    return (await this.#database.one(sql<{ at: string }>`select sluice_snapshot()::text as at`))!.at
  }

  async #look(snapshot: string, news: boolean): Promise<void> {
    for (const stream of [...this.#streams]) {
      if (news) stream.more = true
      try {
        if ((await this.#stillAuthorized(stream)) && stream.more && stream.wanting) await this.#read(stream, snapshot)
      } catch (error) {
        this.#breakOff(stream, error)
      }
    }
  }

  /** Ends a stream that failed, while the others continue. Its client reconnects and loses nothing. */
  #breakOff(stream: Stream, error: unknown): void {
    this.#log.warn({ err: error }, 'live stream failed; the client reconnects')
    stream.out.destroy()
    this.#streams.delete(stream)
  }

  /**
   * Checks rights before anything is read with them. For users of the directory this queries the directory, which takes
   * seconds while it hangs: until it has answered, only this stream is sent nothing.
   */
  async #stillAuthorized(stream: Stream): Promise<boolean> {
    if (stream.checking) return false
    if (performance.now() - stream.checkedAt < this.#times.recheck) return this.#streams.has(stream)
    stream.checking = true
    const checked = this.#check(stream).finally(() => (stream.checking = false))
    const soon = await Promise.race([checked, wait(pauseForRights, undefined, { ref: false })])
    if (soon === undefined) void checked.then(this.#ring)
    return soon ?? false
  }

  async #check(stream: Stream): Promise<boolean> {
    try {
      stream.actor = await stream.again()
      stream.checkedAt = performance.now()
    } catch (error) {
      if (error instanceof Failure) this.#finish(stream)
      // For a stream that has ended meanwhile it makes no difference.
      else if (this.#streams.has(stream)) this.#breakOff(stream, error)
    }
    return this.#streams.has(stream)
  }

  async #read(stream: Stream, snapshot: string): Promise<void> {
    const { feed, actor } = stream
    const batch = await feed.read({ actor, snapshot, database: this.#database, listed: stream.listed(actor) })
    if (!this.#streams.has(stream)) return
    const first = stream.position === undefined
    stream.position = batch.position
    stream.more = batch.more === true
    const text = batch.messages.map(({ kind, data, position }) =>
      messageText({ kind, data, id: position === undefined ? undefined : stream.idOf(position) }),
    )
    // Sent so that a client that is disconnected before the first message also loses nothing.
    if (first) text.push(heartbeatText(stream.idOf(batch.position)))
    if (batch.ended) text.push(messageText({ kind: 'end', data: {}, id: stream.idOf(atTheEnd) }))
    if (text.length > 0) this.#send(stream, text.join(''))
    if (batch.ended) this.#finish(stream)
  }

  #send(stream: Stream, text: string): void {
    stream.sentAt = performance.now()
    stream.fullSince = stream.sentAt
    stream.wanting = stream.out.push(text)
  }

  /** Ends a stream; messages already sent may still be read, for any time. */
  #finish(stream: Stream): void {
    const { out } = stream
    if (!this.#streams.delete(stream) || out.destroyed) return
    out.push(null)
    const timer = setTimeout(() => out.destroy(), this.#times.unreadTimeout).unref()
    out.once('close', () => clearTimeout(timer))
  }

  /** Sends heartbeats to streams without recent messages, and drops clients that do not read. */
  #tend(): void {
    const now = performance.now()
    for (const stream of [...this.#streams]) {
      if (!stream.wanting && now - stream.fullSince > this.#times.unreadTimeout) stream.out.destroy()
      else if (stream.wanting && now - stream.sentAt > this.#times.heartbeat) {
        this.#send(stream, heartbeatText(stream.position === undefined ? undefined : stream.idOf(stream.position)))
      }
    }
  }

  #ring = (): void => {
    this.#rung = true
    this.#wake?.()
  }

  async #wait(pause: number, began: number): Promise<void> {
    const least = this.#times.gap - (performance.now() - began)
    if (pause > 0 && !this.#rung) await this.#until(pause)
    this.#rung = false
    if (pause > 0 && least > 0) await wait(least)
  }

  async #until(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
    this.#wake = undefined
  }
}
