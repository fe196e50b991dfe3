import type { Tx } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/**
 * Rows of a table that this connection has read and not yet reported to the statistics: within a transaction, a
 * measurement.
 */
export const readSoFar = async (tx: Tx, table: string): Promise<number> =>
  (await tx.one(
    sql<{ n: number }>`
      select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n
        from pg_stat_xact_user_tables where relname = ${table}`,
  ))!.n
