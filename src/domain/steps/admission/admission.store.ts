import type { Queries, Tx } from '#platform/db/database.ts'
import { join, raw, type Sql, sql } from '#platform/db/sql.ts'
import type { MaintenanceMode } from '../engine.port.ts'
import { type Activity, lockedColumns } from '../store/activity.store.ts'
import type { SlotPool } from './slot.store.ts'
import { lacksSlot } from './step-slot.store.ts'

/** State of maintenance, read with the records: the mode, and the current superusers. */
export interface Maintenance {
  readonly mode: MaintenanceMode
  readonly superusers: readonly string[]
}

/** A pool with waiting activities. */
export interface PoolWithWork extends SlotPool {
  /** Whether steps that need slots of their own wait (docs/adr/0068); otherwise they are not searched for. */
  readonly steps_wait: boolean
  /** Activities that could not be started a moment ago: they are left alone for now. */
  readonly postponed: readonly string[]
}

/**
 * Activity of the pool that is next to get a slot, locked; locked ones are skipped. Activities that resume after a wait
 * come before new ones, and so do those none of whose steps has a slot; steps of activities that hold some come last.
 * Within each group the oldest is first.
 */
export async function nextAdmissible(
  tx: Tx,
  pool: PoolWithWork,
  maintenance: Maintenance,
): Promise<Activity | undefined> {
  const first = (which: Sql, order = sql`number`) =>
    tx.one(sql<Activity>`
      select ${lockedColumns}
        from activities a
       where ${which}
       order by ${order}
       limit 1
         for no key update skip locked`)
  const firstOfSteps = async (which: Sql) =>
    pool.steps_wait ? first(sql`${steppingOn(pool)} and ${which}`, sql`n_slots, number`) : undefined
  return (
    (await first(resuming(pool))) ??
    (await firstOfSteps(sql`a.n_slots = 0`)) ??
    (await first(admissible(pool, maintenance))) ??
    (await firstOfSteps(sql`a.n_slots > 0`))
  )
}

/** Whether an activity could start that the last read skipped because it was locked. */
export async function anyAdmissible(queries: Queries, pool: PoolWithWork, maintenance: Maintenance): Promise<boolean> {
  const row = await queries.one(sql<{ any: boolean }>`
    select exists (select from activities a where ${resuming(pool)})
        or exists (select from activities a where ${admissible(pool, maintenance)})
           ${pool.steps_wait ? sql`or exists (select from activities a where ${steppingOn(pool)})` : sql``} as any`)
  return row!.any
}

/**
 * Pools with waiting activities. A cheap query, run each second: for each pool an index yields its first. With
 * `exists`, or without the order, PostgreSQL would read all that waits for the pools without any: 100 ms with 100,000.
 */
export async function poolsWithWork(queries: Queries, postponed: readonly string[] = []): Promise<PoolWithWork[]> {
  const first = (status: 'queued' | 'pending', order: string) => sql`
    (select true
       from activities a
      where a.site = p.site and a.pool = p.pool and a.status = '${raw(status)}'
      order by ${raw(order)}
      limit 1)`
  const pools = await queries.rows(sql<Omit<PoolWithWork, 'postponed'>>`
    select p.id, p.site, p.pool, p.configured_limit, p.used, steps.wait as steps_wait
      from slot_pools p
     cross join lateral (
       select exists (select from activities a
                       where a.site = p.site and a.pool = p.pool and ${lacksSlot}) as wait offset 0) steps
     where coalesce(${first('queued', 'a.number')}, ${first('pending', 'a.user_id, a.number')}, false) or steps.wait`)
  return pools.map(pool => ({ ...pool, postponed }))
}

const steppingOn = (pool: PoolWithWork) => sql`${ofPool(pool)} and ${lacksSlot}`

const resuming = (pool: PoolWithWork) => sql`${ofPool(pool)} and a.status = 'queued' and a.pause_state = 'none'`

/** Condition on activities of a pool that are not postponed. Usually none is, and there is no condition. */
const ofPool = ({ site, pool, postponed }: PoolWithWork) => {
  const here = sql`a.site = ${site} and a.pool = ${pool}`
  return postponed.length === 0 ? here : sql`${here} and a.id <> all(${postponed}::uuid[])`
}

/** The conditions except for the slot, as one condition over `activities a`. */
function admissible(pool: PoolWithWork, maintenance: Maintenance): Sql {
  const here = sql`${ofPool(pool)} and a.status = 'pending'`
  const free = join([sql`a.pause_state = 'none'`, due('a'), freeOfItsName, freeOnItsNode(maintenance)], ' and ')
  if (maintenance.mode === 'disabled') return sql`${here} and a.head and ${free}`
  return sql`a.status = 'pending' and a.id in (${exempt(here, free, maintenance)})`
}

const due = (alias: 'a' | 'x') => {
  const runAt = raw(`${alias}.run_at`)
  return sql`(${runAt} is null or ${runAt} <= sluice_now())`
}

/**
 * Maintenance exceptions 2.1 and 2.2: activities created by a step of an admitted run, and under superuser_override
 * those created by superusers (themselves, not by the token of a step), may overtake older ones of their name that only
 * maintenance blocks. Superusers are determined at this moment and are in no column, so the older ones have to be
 * examined; but for each name only those before the first that could start, since that one blocks those behind it.
 * (With 90,000 blocked ones of one name, a check of each took 2.4 s.)
 */
function exempt(here: Sql, free: Sql, maintenance: Maintenance): Sql {
  const created = maintenance.mode === 'superuser_override' ? maintenance.superusers : []
  return sql`
    select a.id
      from (select distinct on (name_key, case when allow_same_name then id end) c.*
              from (select a.* from activities a where ${here} and a.under_way
                    union all
                    select a.* from activities a
                     where ${here} and not a.under_way and a.scope_project_id is null
                       and a.user_id = any(${created}::uuid[])) c
             order by name_key, case when allow_same_name then id end, number) a
     where (a.head or a.allow_same_name or not exists (select from activities x where ${elder(maintenance)}))
       and ${free}
     order by a.number
     limit 20`
}

/** An older `x` of the name of `a` that it waits for. */
export const elder = (maintenance: Maintenance): Sql => sql`
  x.site = a.site and x.name_key = a.name_key and not x.final and x.number < a.number and not ${blockedOnlyByMaintenance(maintenance)}`

/**
 * An `x` of the name of `a` that has started: an older one blocks `a` anyhow, a younger one overtook it while
 * maintenance blocked it. A name belongs to one node, and there is an index on the started activities of a node.
 */
export const passedBy = sql`
  x.node_id = a.node_id and x.status in ('running', 'waiting', 'queued')
  and x.site = a.site and x.name_key = a.name_key and not x.allow_same_name`

const freeOfItsName = sql`(a.allow_same_name or not exists (select from activities x where ${passedBy}))`

/** An `x` that has started on the node of `a`, and one of the two must be alone there. */
export const isStartedOnSameNode = sql`
  x.node_id = a.node_id and x.status in ('running', 'waiting', 'queued') and x.kind = 'change'
  and not (a.allow_parallel and x.allow_parallel)`

/** An older `x` on the node of `a`, which starts before one that must be alone there. */
export const dueBefore = (maintenance: Maintenance): Sql => sql`
  x.node_id = a.node_id and not x.final and x.number < a.number and x.kind = 'change'
  and x.status in ('initializing', 'pending') and not ${blockedOnlyByMaintenance(maintenance)}`

/**
 * allow_parallel.changes: one change at a time on a node, oldest first. Two conditions, because the first has an index
 * of the few that have started, and the second is only evaluated for those that may not run in parallel.
 */
function freeOnItsNode(maintenance: Maintenance): Sql {
  return sql`(a.kind <> 'change'
    or not exists (select from activities x where ${isStartedOnSameNode})
       and (a.allow_parallel or not exists (select from activities x where ${dueBefore(maintenance)})))`
}

/** Condition on an older record `x`: nothing but maintenance blocks it. */
export function blockedOnlyByMaintenance({ mode, superusers }: Maintenance): Sql {
  if (mode === 'disabled') return sql`false`
  const waitsForNothingElse = sql`x.status in ('initializing', 'pending') and not x.under_way
    and x.pause_state = 'none' and ${due('x')}`
  if (mode === 'enabled') return sql`(${waitsForNothingElse})`
  return sql`(${waitsForNothingElse} and (x.user_id is null or x.scope_project_id is not null or x.user_id <> all(${superusers}::uuid[])))`
}

/** Activities that have been waiting with a slot for longer than they may, at most a hundred. */
export const idleSlots = (queries: Queries, postponed: readonly string[]): Promise<{ id: string }[]> =>
  queries.rows(sql<{ id: string }>`
    select id
      from activities
     where status = 'waiting' and holds_slot
       and waiting_since <= sluice_now() - make_interval(secs => idle_seconds)
       and id <> all(${[...postponed]}::uuid[])
     order by waiting_since
     limit 100`)
