import { setTimeout as wait } from 'node:timers/promises'
import { sealNext } from '../../src/domain/events/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/**
 * Seals every event recorded by now. The sealer stays below the oldest transaction of the whole server, which also has
 * the databases of other tests: this waits for their transactions.
 */
export async function sealEverything(database: Database): Promise<void> {
  const { last } = (await database.one(sql<{ last: string }>`select coalesce(max(tx), '0'::xid8) as last from events`))!
  const deadline = performance.now() + 60_000
  while (!(await database.one(sql`select where ${last}::xid8 < pg_snapshot_xmin(sluice_snapshot())`))) {
    if (performance.now() > deadline) throw new Error('a transaction of another test has run for a minute')
    await wait(5)
  }
  const waiting = () =>
    database.one(sql`
      select from events where tx >= (select sealed_below from audit_head) and tx <= ${last}::xid8 limit 1`)
  // A service's own sealer may hold the lock, which is not awaited.
  while (await waiting()) if (!(await database.transaction(sealNext))) await wait(5)
}
