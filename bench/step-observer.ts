import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { WebSocket } from 'ws'

/**
 * Loaded into the service by a bench: records for each step that follows another in a change how the time between them
 * was spent, one line of JSON each. Supports one change at a time, with steps in sequence.
 */
export interface StepTime {
  /**
   * Milliseconds from handing a step to its runner until its result has arrived: the transfer both ways, and the
   * runner.
   */
  runner: number
  /** Milliseconds from the arrival of the result until the next step is handed to the runner. */
  service: number
  /** Part of that until the statement that ends the one step and begins the next is answered and committed. */
  database: number
  roundTrips: number
}

const notes = new URL(import.meta.url).searchParams.get('notes')!
let handed: number | undefined
let arrived: number | undefined
let begun: number | undefined
let committed: number | undefined
let waiting = 0
let roundTrips = 0
let lines = ''

const send = WebSocket.prototype.send as (...given: unknown[]) => void
WebSocket.prototype.send = function (this: WebSocket, ...given: unknown[]) {
  if (String(given[0]).startsWith('{"type":"run"')) handOver()
  return send.apply(this, given)
}

const emit = WebSocket.prototype.emit as (...given: unknown[]) => boolean
WebSocket.prototype.emit = function (this: WebSocket, ...given: unknown[]) {
  if (given[0] === 'message' && String(given[1]).startsWith('{"type":"result"')) {
    arrived = performance.now()
    begun = committed = undefined
    waiting = roundTrips = 0
  }
  return emit.apply(this, given)
}

const query = pg.Client.prototype.query as unknown as (...given: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    if (arrived === undefined) return query.apply(this, given)
    begun ??= performance.now()
    if (waiting++ === 0) roundTrips += 1
    const done = () => {
      waiting -= 1
      committed = performance.now()
    }
    // A pool passes a callback instead of awaiting a promise.
    const answer = given.at(-1)
    if (typeof answer === 'function') {
      return query.apply(this, [
        ...given.slice(0, -1),
        (...answered: unknown[]) => {
          done()
          answer(...answered)
        },
      ])
    }
    const answered = query.apply(this, given)
    if (answered instanceof Promise) answered.then(done, done)
    return answered
  },
})

function handOver(): void {
  const now = performance.now()
  if (handed !== undefined && arrived !== undefined && begun && committed) {
    const time: StepTime = {
      runner: arrived - handed,
      service: now - arrived,
      database: committed - begun,
      roundTrips,
    }
    lines += `${JSON.stringify(time)}\n`
  }
  handed = now
  arrived = undefined
}

setInterval(() => {
  if (lines) appendFileSync(notes, lines)
  lines = ''
}, 200).unref()
