import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { NewEvent } from '#platform/events.ts'

export type MaintenanceMode = 'disabled' | 'enabled' | 'superuser_override'

/** The advisory lock between admitting work and switching the mode; both hold it until commit. */
const maintenanceLock = 7_314_159_266

/**
 * The mode in force, locked until the transaction ends: code that admits work reads it here, so that once a switch has
 * been confirmed nothing can start under the earlier mode. The lock is taken by a statement of its own, because a
 * statement sees what was committed when it began.
 */
export async function heldMaintenanceMode(tx: Tx): Promise<MaintenanceMode> {
  await tx.rows(sql`select pg_advisory_xact_lock_shared(${maintenanceLock}::bigint)`)
  return (await readMaintenance(tx)).mode
}

/** The mode in force, and since when; only for display. */
export async function readMaintenance(
  queries: Queries,
): Promise<{ mode: MaintenanceMode; since: string; by: string | null }> {
  return (await queries.one(sql<{ mode: MaintenanceMode; since: string; by: string | null }>`
    select mode, switched_at as since, switched_by as by from maintenance_mode`))!
}

/** The mode as part of a statement whose counts must be consistent with it. */
export const modeInForce = sql<MaintenanceMode>`(select mode from maintenance_mode)`

/**
 * Locks the switch of the mode, before the requested mode is read: read before the lock, it may be one that another
 * transaction has just replaced, and would be applied again.
 */
export async function lockSwitch(tx: Tx): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(${maintenanceLock}::bigint)`)
}

/** The settings of the installation, as the source of events; undefined before they are created. */
export async function globalSettings(queries: Queries): Promise<{ type: 'settings'; id: string } | undefined> {
  const found = await queries.one(sql<{ id: string }>`select id from settings where owner_type = 'Global'`)
  return found && { type: 'settings', id: found.id }
}

/**
 * Writes the mode and records the switch; no event between the two on-values, and none when nothing changes. The caller
 * has locked the switch, so that concurrent switches record exactly one event for each real one.
 */
export async function switchMaintenance(
  tx: Tx,
  mode: MaintenanceMode,
  by: NewEvent['actor'],
  record: (event: NewEvent) => Promise<void>,
): Promise<void> {
  const before = await readMaintenance(tx)
  if (before.mode === mode) return
  await tx.count(sql`
    update maintenance_mode set mode = ${mode}, switched_at = sluice_now(), switched_by = ${by.username}`)
  tx.hint('admission')
  if ((before.mode === 'disabled') === (mode === 'disabled')) return
  const type = mode === 'disabled' ? 'info:maintenance_mode:disabled' : 'info:maintenance_mode:enabled'
  const source = await globalSettings(tx)
  await record({ type, actor: by, ...(source && { source }), attributes: { mode } })
}
