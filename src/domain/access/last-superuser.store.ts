import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { isAnySuperuser } from './rights.store.ts'

/**
 * Refuses to remove the last superuser. Called after every change that can remove one: an installation without a
 * superuser could never have one again. Under a lock: otherwise two superusers who delete each other at the same time
 * would each still see the other.
 *
 * @throws Failure wrong-state
 */
export async function keepLastSuperuser(tx: Tx): Promise<void> {
  await tx.rows(sql`select from authorisation_policies where system = 'superuser' for update`)
  const { left } = (await tx.one(sql<{ left: boolean }>`select ${isAnySuperuser()} as left`))!
  if (!left) throw failure('wrong-state', 'This would remove the last superuser. Make another user a superuser first.')
}
