import type { Queries } from './database.ts'
import { sql } from './sql.ts'

/**
 * Takes a named lock until the transaction ends: exclusively, or `shared` with others. Waiting transactions get it in
 * turn. A statement that waited sees the data of its beginning: read by a later one.
 *
 * @param what kind and name of the lock: `slots: main runner`. No other code may lock the same text
 */
export async function lockNamed(queries: Queries, what: string, how: 'alone' | 'shared' = 'alone'): Promise<void> {
  const key = sql`hashtextextended(${what}, 0)`
  await queries.rows(
    how === 'shared' ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`,
  )
}

/** Takes a named lock exclusively if it is free. Returns whether it did. */
export async function tryLockNamed(queries: Queries, what: string): Promise<boolean> {
  const held = await queries.one(sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${what}, 0)) as free`)
  return held!.free
}
