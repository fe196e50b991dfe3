import type { Database } from '#platform/db/database.ts'
import { renewLease } from './runner.store.ts'
import { authenticateRunner } from './secret.tx.ts'

/** Statement timeout in milliseconds. A migration may hold the table; the runner asks again in two seconds. */
const statementTimeout = 2_000

/**
 * Renews the lease of the runner with these credentials, without a session: for a service that starts and cannot accept
 * results yet. Works on the schema of an earlier release too.
 *
 * @returns whether it was renewed; false for a runner that is unknown or was given up
 * @throws when the database is unavailable
 */
export async function renewLeaseWhileStarting(database: Database, authorization: string | undefined): Promise<boolean> {
  return database.transaction(
    async tx => {
      const runner = await authenticateRunner(tx, authorization)
      return typeof runner === 'object' && (await renewLease(tx, runner.id))
    },
    { statementTimeout },
  )
}
