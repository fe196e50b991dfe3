import type { Queries, Tx } from '../../platform/db/database.ts'
import { join, type Sql, sql } from '../../platform/db/sql.ts'
import { type Activity, activityColumns } from './activity.store.ts'
import type { MaintenanceMode } from './engine.ts'
import type { SlotPool } from './slot.store.ts'

/** What admission knows beside the records: the mode, and who is a superuser at this moment. */
export interface Maintenance {
  readonly mode: MaintenanceMode
  readonly superusers: readonly string[]
}

/**
 * The oldest activity of the pool that may start but for a slot, locked; one that somebody else holds is passed over.
 * Those that go on after a wait come before new ones.
 */
export async function nextAdmissible(tx: Tx, pool: SlotPool, maintenance: Maintenance): Promise<Activity | undefined> {
  return (
    (await tx.one(sql<Activity>`
      select ${activityColumns}
        from activities a
       where ${resuming(pool)}
       order by number
       limit 1
         for no key update skip locked`)) ??
    (await tx.one(sql<Activity>`
      select ${activityColumns}
        from activities a
       where ${admissible(pool, maintenance)}
       order by number
       limit 1
         for no key update skip locked`))
  )
}

/** Whether one could start that the last look passed over because it was locked. */
export async function anyAdmissible(queries: Queries, pool: SlotPool, maintenance: Maintenance): Promise<boolean> {
  const row = await queries.one(sql<{ any: boolean }>`
    select exists (select from activities a where ${resuming(pool)})
        or exists (select from activities a where ${admissible(pool, maintenance)}) as any`)
  return row!.any
}

/** Pools for which something waits. A cheap question, asked each second. */
export function poolsWithWork(queries: Queries): Promise<SlotPool[]> {
  return queries.rows(sql<SlotPool>`
    select p.site, p.pool, p.configured_limit, p.used
      from slot_pools p
     where exists (select from activities a where a.site = p.site and a.pool = p.pool and a.status = 'queued')
        or exists (select from activities a where a.site = p.site and a.pool = p.pool and a.status = 'pending')`)
}

const resuming = (pool: SlotPool) =>
  sql`a.site = ${pool.site} and a.pool = ${pool.pool} and a.status = 'queued' and a.pause_state = 'none'`

/** execution.md 2: the conditions but for the slot, as one condition over `activities a`. */
function admissible(pool: SlotPool, maintenance: Maintenance): Sql {
  const conditions = [
    sql`a.site = ${pool.site} and a.pool = ${pool.pool} and a.status = 'pending'`,
    sql`a.pause_state = 'none'`,
    isDue('a'),
    notHeld(maintenance),
    nextOfItsName(maintenance),
    freeOnItsNode(maintenance),
  ]
  return join(conditions, ' and ')
}

const isDue = (alias: 'a' | 'x') =>
  alias === 'a'
    ? sql`(a.run_at is null or a.run_at <= sluice_now())`
    : sql`(x.run_at is null or x.run_at <= sluice_now())`

/** 2.1: by who created it. What a step of an admitted run makes is work under way. */
function notHeld({ mode, superusers }: Maintenance): Sql {
  if (mode === 'disabled') return sql`true`
  if (mode === 'enabled') return sql`a.under_way`
  return sql`(a.under_way or a.user_id = any(${superusers}::uuid[]))`
}

/**
 * 2.2: the head of its name. In maintenance whoever may start passes by those that only maintenance holds: there the
 * older ones of the name are looked at, because who is a superuser is asked at this moment and stands in no column.
 */
function nextOfItsName(maintenance: Maintenance): Sql {
  if (maintenance.mode === 'disabled') return sql`a.head`
  return sql`(a.head or a.allow_same_name or not exists (
    select from activities x
     where x.site = a.site and x.name_key = a.name_key and not x.final and x.number < a.number
       and not ${heldOnly(maintenance)}))`
}

/** allow_parallel.changes: one change at a time on a node, oldest first. */
function freeOnItsNode(maintenance: Maintenance): Sql {
  return sql`(a.kind <> 'change' or not exists (
    select from activities x
     where x.node_id = a.node_id and x.kind = 'change' and not x.final and x.id <> a.id
       and case when x.status in ('initializing', 'pending')
                then not a.allow_parallel and x.number < a.number and not ${heldOnly(maintenance)}
                else not (a.allow_parallel and x.allow_parallel) end))`
}

/** Of an older record: nothing but maintenance holds it. */
function heldOnly({ mode, superusers }: Maintenance): Sql {
  if (mode === 'disabled') return sql`false`
  const waitsForNothingElse = sql`x.status in ('initializing', 'pending') and not x.under_way
    and x.pause_state = 'none' and ${isDue('x')}`
  if (mode === 'enabled') return sql`(${waitsForNothingElse})`
  return sql`(${waitsForNothingElse} and (x.user_id is null or x.user_id <> all(${superusers}::uuid[])))`
}
