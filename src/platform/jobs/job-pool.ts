import pg from 'pg'
import { isDatabaseAway, leadsToReader } from '../db/connection-errors.ts'
import { setSession } from '../db/connections.ts'
import type { Log } from '../domain.ts'

/**
 * The job queue's connections. The library's own pool has no listener for errors any more while it ends, and is said to
 * have ended while its connections still close: PostgreSQL, stopped right after, then ended this process with an
 * unhandled error.
 *
 * The library notes that a job is done once, and tries again only upon a few codes; upon any other error the promise is
 * not awaited, which ends the process as well. So whatever says that the database is away is given the code of "it is
 * starting", upon which it is patient.
 *
 * @param leaving aborted once the library's remaining notes are not awaited any more: it gets no answer then. Its
 *   patience is that of hours, and what it did not note is done again, as after a kill.
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
    // One that breaks while it is in use tells its client alone; without a listener that would end this process.
    client.on('error', broken)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const leave = (error: unknown) => {
      // An ended connection is not used again.
      if (leadsToReader(error)) void client.end().catch(broken)
    }
    Object.assign(client, { query: (...given: unknown[]) => patient(query(...given), leaving, leave) })
  })
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown
  return Object.assign(pool, { connect: (...given: unknown[]) => patient(connect(...given), leaving) })
}

const startingUp = '57P03'

function patient(answer: unknown, leaving: AbortSignal, failed: (error: unknown) => void = () => {}): unknown {
  if (!(answer instanceof Promise)) return answer
  return answer.catch((error: unknown) => {
    failed(error)
    if (leaving.aborted) return new Promise(() => {})
    throw isDatabaseAway(error) ? Object.assign(error as Error, { code: startingUp }) : error
  })
}
