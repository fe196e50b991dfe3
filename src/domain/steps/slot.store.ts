import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { claimingSlot } from '../runners/index.ts'
import type { Activity } from './activity.store.ts'

export interface SlotPool {
  site: string
  pool: string
  configured_limit: number
  used: number
}

/**
 * One admitter at a time for each pool. Counting claims without this lock admitted 2 of 1; taking free slots with skip
 * locked leaves them idle while another admitter may yet roll back.
 */
export function lockPool(tx: Tx, site: string, pool: string): Promise<SlotPool | undefined> {
  return tx.one(sql<SlotPool>`
    select site, pool, configured_limit, used from slot_pools where site = ${site} and pool = ${pool} for update`)
}

/** Takes the lowest free slot of a pool that the caller has locked and seen to have one. */
export async function claimSlot(tx: Tx, activity: Activity): Promise<void> {
  await tx.one(sql`
    with ${claimingSlot(activity, { kind: 'activity', id: activity.id, path: activity.path })}
    update activities set holds_slot = true where id = ${activity.id}`)
}

/** The last lock that a transaction takes: activity, owners of properties, pool. */
export async function releaseSlot(tx: Tx, activity: Pick<Activity, 'id'>): Promise<void> {
  await tx.one(sql`
    with freed as (
      delete from slot_claims where holder_id = ${activity.id} returning site, pool
    ),
    counted as (
      update slot_pools p
         set used = p.used - 1, updated_at = sluice_now()
        from freed f
       where p.site = f.site and p.pool = f.pool
    )
    update activities set holds_slot = false where id = ${activity.id}`)
}

/** Takes what the settings say into the pools of all sites. A lower limit lets the excess run out. */
export async function setSlotLimits(queries: Queries, limits: Readonly<Record<string, number>>): Promise<void> {
  await queries.count(sql`
    update slot_pools p
       set configured_limit = l.value::int, row_version = row_version + 1, updated_at = sluice_now()
      from jsonb_each_text(${JSON.stringify(limits)}::jsonb) as l(pool, value)
     where p.pool = l.pool and p.configured_limit <> l.value::int`)
}
