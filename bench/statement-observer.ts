import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { WebSocket } from 'ws'

/**
 * Loaded into the service by a bench: records the statements of each transaction that applies a result, as they were
 * sent to PostgreSQL, one line of JSON for each transaction. Supports one change at a time, with steps in sequence.
 */
export interface RecordedStatement {
  name?: string
  text: string
  values: unknown[]
  /** Turn of the event loop; statements of one turn were sent together. */
  turn: number
}

const notes = new URL(import.meta.url).searchParams.get('notes')!
/** Number of transactions after which the observer stops and costs nothing more. */
const mostTransactions = 80

let noted = 0
let statements: RecordedStatement[] | undefined
let turn = 0
let waiting = 0

const emit = WebSocket.prototype.emit as (...given: unknown[]) => boolean
WebSocket.prototype.emit = function (this: WebSocket, ...given: unknown[]) {
  if (noted < mostTransactions && given[0] === 'message' && String(given[1]).startsWith('{"type":"result"')) {
    statements = []
    turn = waiting = 0
  }
  return emit.apply(this, given)
}

const query = pg.Client.prototype.query as unknown as (...given: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    const answered = query.apply(this, given)
    if (!statements) return answered
    const asked = given[0] as string | { name?: string; text: string; values?: unknown[] }
    const { name, text, values = [] } = typeof asked === 'string' ? { text: asked } : asked
    if (waiting++ === 0) turn += 1
    statements.push({ ...(name && { name }), text, values: values.map(forJson), turn })
    const done = () => {
      waiting -= 1
    }
    if (answered instanceof Promise) answered.then(done, done)
    // A step that follows another as predicted is one statement, and a transaction by itself.
    if (text !== 'commit' && !/sluice_(succeed|all_moved)\(/.test(text)) return answered
    appendFileSync(notes, `${JSON.stringify(statements)}\n`)
    statements = undefined
    noted += 1
    return answered
  },
})

function forJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { hex: value.toString('hex') }
  return Array.isArray(value) ? value.map(forJson) : value
}
