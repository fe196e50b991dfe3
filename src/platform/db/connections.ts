import type { Socket } from 'node:net'
import pg from 'pg'
import { typeParsers } from './values.ts'

/** The driver's connections: how they are opened, and how statements travel on them. */

/**
 * Settings of every connection, whatever the server's are. JIT is off because it compiles code for each execution of a
 * statement: a second of LLVM for two milliseconds of work, wherever the planner expects many rows.
 */
const ownSettings = ['timezone=UTC', 'jit=off']
/**
 * Limits of the service's own statements: one that hangs, or a transaction that is never ended, must not hold locks
 * forever.
 */
const limits = ['statement_timeout=30s', 'idle_in_transaction_session_timeout=15s']

/**
 * Applies settings of PostgreSQL (`name=value`), ours included, to a new connection. By a statement and not as
 * parameters of the connection: poolers refuse those, or drop them silently, and statements then run for a second in a
 * compiler, or forever.
 */
export async function setSession(client: pg.ClientBase, ...settings: string[]): Promise<void> {
  const statements = [...ownSettings, ...settings].map(each => {
    const [name, value] = each.split('=') as [string, string]
    return `set ${pg.escapeIdentifier(name)} = ${pg.escapeLiteral(value)}`
  })
  // The pool gives up on a connection that is not established; it does not notice one that then does not answer.
  const config: pg.QueryConfig & { query_timeout: number } = {
    text: statements.join('; '),
    query_timeout: connectWithin,
  }
  await client.query(config)
}

/**
 * Milliseconds for which an idle connection is kept. A new one costs its first user ten milliseconds, and its
 * statements are planned again: connections that are used every minute should not be opened every minute.
 */
const idleTimeoutMilliseconds = 10 * 60_000

const connectWithin = 10_000

/** @param settings of PostgreSQL, for each of its connections: `name=value` */
export function openPool({ url, name }: { url: string; name: string }, size: number, ...settings: string[]): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: name,
    idleTimeoutMillis: idleTimeoutMilliseconds,
    onConnect: client => setSession(client, ...limits, ...settings),
    types: typeParsers,
    connectionTimeoutMillis: connectWithin,
    // Statements are sent when they are issued, not when the previous one is answered (pipelining). `begin` travels
    // with the first statement, and independent ones share a round trip (`together`).
    pipeline: true,
  })
  // The next use replaces an idle connection that breaks (a restart of PostgreSQL); the listener only keeps the process
  // alive.
  pool.on('error', () => {})
  // While the pool hands over a connection it has no listener, and an error there would end this process. The caller
  // gets the error with the first statement.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** The connections of one pool at this moment. */
export interface Connections {
  readonly open: number
  /** Number of these that are idle. */
  readonly idle: number
  /** Number of waiting requests for one. */
  readonly waiting: number
  /** Maximum number of open connections. */
  readonly most: number
}

export const connectionsOf = (pool: pg.Pool): Connections => ({
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  most: pool.options.max,
})

/** Sends a statement; returns its result. */
export type Send = (statement: string | pg.QueryConfig) => Promise<pg.QueryResult>

/** A connection that breaks while it is checked out reports it here as well as to the running statement. */
export function held(client: pg.PoolClient): { leave(): void; broke(error: Error): void } {
  let broken: Error | undefined
  const broke = (error: Error) => {
    broken = error
  }
  client.on('error', broke)
  return {
    broke,
    leave: () => {
      client.off('error', broke)
      client.release(broken)
    },
  }
}

/**
 * Sends statements issued in one turn of the event loop in one write. With one write per statement, PostgreSQL would
 * wake up for one statement of five, and on a busy machine get the processor at once.
 */
export function gathering(client: pg.PoolClient): Send {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let corked = false
  return statement => {
    if (!corked) {
      corked = true
      stream.cork()
      process.nextTick(() => {
        corked = false
        stream.uncork()
      })
    }
    return answerOf(client, statement)
  }
}

/**
 * Sends a statement with a callback. Promises made by the driver itself keep each other alive, with the rows of every
 * response, until the collector goes through the whole memory: it then stopped the service for eight milliseconds after
 * each twenty lists, instead of for a fifth of one.
 */
async function answerOf(client: pg.PoolClient, statement: string | pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await new Promise<pg.QueryResult>((resolve, reject) => {
      const told = (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result))
      void client.query(statement as pg.QueryConfig, told as (error: Error, result: pg.QueryResult) => void)
    })
  } catch (error) {
    // With the stack of the caller, not of the response.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
