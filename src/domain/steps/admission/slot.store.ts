import type { Queries, Tx } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import { sql } from '#platform/db/sql.ts'
import { claimingSlot } from '../../runners/index.ts'
import type { Activity } from '../store/activity.store.ts'

export interface PoolName {
  site: string
  pool: string
}

export interface SlotPool extends PoolName {
  id: string
  configured_limit: number
  used: number
}

/**
 * Takes the lock to admit from a pool, one admitter at a time, until its transaction ends: counting slots without this
 * lock admitted 2 of 1, and skipping those that are locked leaves them idle while another admitter may yet roll back.
 * It is not the pool's row, for which every transaction waits that gives a slot back (docs/adr/0070). The pool is read
 * by a statement of its own, since one that waited for the lock still sees the earlier state.
 */
export async function takeTurn(tx: Tx, { site, pool }: PoolName): Promise<SlotPool | undefined> {
  await lockNamed(tx, `slots: ${site} ${pool}`)
  return tx.one(sql<SlotPool>`${poolOf({ site, pool })}`)
}

/**
 * Locks the pool until the transaction ends, so that `wanted` slots of it can be claimed.
 *
 * @throws NoSlotsLeft when it has fewer by now: its limit was lowered
 */
export async function lockSlots(tx: Tx, pool: PoolName, wanted: number): Promise<void> {
  const now = await tx.one(sql<SlotPool>`${poolOf(pool)} for update`)
  if (!now || now.used + wanted > now.configured_limit) throw new NoSlotsLeft()
}

/** Error when a pool had fewer free slots under its lock than before. */
export class NoSlotsLeft extends Error {}

const poolOf = ({ site, pool }: PoolName) => sql`
  select id, site, pool, configured_limit, used from slot_pools where site = ${site} and pool = ${pool}`

/** Claims a slot for each activity: the lowest free one of a pool of which the caller holds as many. */
export async function claimSlots(tx: Tx, activities: readonly Activity[]): Promise<void> {
  await Promise.all(
    activities.map(activity =>
      tx.one(sql`
        with ${claimingSlot(activity, { kind: 'activity', id: activity.id, path: activity.path })}
        update activities set holds_slot = true where id = ${activity.id}`),
    ),
  )
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
