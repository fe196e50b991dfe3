import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { superusers } from '../access/index.ts'
import { readMaintenance } from '../settings/index.ts'
import { blockedOnlyByMaintenance } from '../steps/for-changes.ts'

/**
 * Condition on an unfinished retry `x` that does not block another one by this person: under superuser_override a retry
 * that only maintenance blocks does not block a superuser's, as with other records of one name. It runs afterwards,
 * when maintenance is over, unless it is cancelled.
 */
export async function passedByRetryOf(tx: Tx, { rights }: Pick<Actor, 'rights'>): Promise<Sql> {
  const { mode } = rights.superuser ? await readMaintenance(tx) : { mode: 'disabled' }
  if (mode !== 'superuser_override') return sql`false`
  const rows = await tx.rows(superusers())
  return blockedOnlyByMaintenance({ mode, superusers: rows.map(({ id }) => id) })
}
