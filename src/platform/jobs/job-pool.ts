import pg from 'pg'
import { isDatabaseAway, leadsToReader } from '../db/connection-errors.ts'
import { setSession } from '../db/connections.ts'
import type { Log } from '../domain.ts'

/**
 * The job queue's connections. The library's own pool has no error listener while it ends, and reports its end while
 * its connections still close: if PostgreSQL stopped right after, this process ended with an unhandled error.
 *
 * The library reports a finished job once, and retries only after a few error codes; after any other error the promise
 * is not awaited, which ends the process as well. So every error that means that the database is unavailable gets the
 * code of "the database is starting", after which the library retries.
 *
 * @param leaving aborted once the library's remaining reports are no longer awaited: it gets no answer then. It would
 *   retry for hours, and jobs that it did not mark as done are repeated, as after a kill.
 */
export function jobPool(url: string, log: Log, leaving: AbortSignal): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    application_name: 'sluice jobs',
    onConnect: client => setSession(client),
  })
  const broken = (error: Error) => log.warn({ err: error }, 'job queue connection broke; reconnecting')
  pool.on('error', broken)
  pool.on('connect', client => {
    // A connection that breaks while it is in use notifies only its client; without a listener that would end this
    // process.
    client.on('error', broken)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const leave = (error: unknown) => {
      // An ended connection is not used again.
      if (leadsToReader(error)) void client.end().catch(broken)
    }
    Object.assign(client, { query: (...given: unknown[]) => retriedWhenAway(query(...given), leaving, leave) })
  })
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown
  return Object.assign(pool, { connect: (...given: unknown[]) => retriedWhenAway(connect(...given), leaving) })
}

const startingUp = '57P03'

function retriedWhenAway(answer: unknown, leaving: AbortSignal, failed: (error: unknown) => void = () => {}): unknown {
  if (!(answer instanceof Promise)) return answer
  return answer.catch((error: unknown) => {
    failed(error)
    if (leaving.aborted) return new Promise(() => {})
    throw isDatabaseAway(error) ? Object.assign(error as Error, { code: startingUp }) : error
  })
}
