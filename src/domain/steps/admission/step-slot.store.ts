import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { claimingSlot, comingOrLive } from '../../runners/index.ts'
import type { Activity } from '../store/activity.store.ts'
import { columnsOf, type StoredStep } from '../store/neighbourhood.store.ts'

/** Slots that steps hold for themselves (docs/adr/0068): those that run, and those queued whose runner is on its way. */

/** Whether a step `s` has a slot. */
export const hasSlot = sql`exists (select from slot_claims c where c.holder_id = s.id)`

/** A running activity `a` in which nothing is stopped, of which a step could have a slot that it lacks. */
export const lacksSlot = sql`
  a.status = 'running' and a.pod_per_step and not a.holds_slot and a.pause_state = 'none'
  and a.cancel_requested_at is null and not a.rejected and a.n_queued > 0 and a.n_slots < a.parallel_steps
  and exists (select from steps s where s.activity_id = a.id and s.status = 'queued' and not ${hasSlot})`

/** Number of steps of admitted changes that wait for a slot of a pool. */
export const waitingStepsOf = (site: Sql, pool: Sql): Sql<number> => sql<number>`
  (select coalesce(sum(a.n_queued + a.n_running - a.n_slots), 0)::bigint from activities a
    where a.site = ${site} and a.pool = ${pool} and a.status = 'running' and a.pod_per_step and not a.holds_slot)`

/**
 * Takes the lowest free slot of a pool, which the caller has locked and seen to have one, for the first queued step of a
 * locked activity that has none. Answers the step; undefined when none lacks one.
 */
export async function claimSlotForStep(tx: Tx, activity: Activity): Promise<string | undefined> {
  const step = await tx.one(sql<{ id: string }>`
    select s.id
      from steps s
     where s.activity_id = ${activity.id} and s.status = 'queued' and not ${hasSlot}
     order by s.tree_order
     limit 1`)
  if (!step) return undefined
  await tx.one(sql`
    with ${claimingSlot(activity, { kind: 'step', id: step.id, path: activity.path })}
    update activities set n_slots = n_slots + 1 where id = ${activity.id}`)
  return step.id
}

/** The queued step of a locked activity, if a slot is held for it. */
export const queuedUnderSlot = (tx: Tx, activityId: string, stepId: string): Promise<StoredStep[]> =>
  tx.rows(sql<StoredStep>`
    select ${columnsOf('s')}
      from steps s
     where s.id = ${stepId}::uuid and s.activity_id = ${activityId} and s.status = 'queued' and ${hasSlot}`)

/** Queued steps of an activity for which slots are held. There are few slots: each is asked for its step. */
export async function queuedUnderSlots(queries: Queries, activityId: string): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select s.id
      from slot_claims c
     cross join lateral (select * from steps s where s.id = c.holder_id offset 0) s
     where c.holder_kind = 'step' and s.activity_id = ${activityId} and s.status = 'queued'`)
  return rows.map(({ id }) => id)
}

/**
 * Gives back what these steps of a locked activity hold; without them, what any step of it does. The last lock that a
 * transaction takes. Answers how many slots there were.
 */
export async function releaseSlotsOfSteps(tx: Tx, activityId: string, stepIds?: readonly string[]): Promise<number> {
  const whose = stepIds
    ? sql`c.holder_id = any(${[...stepIds]}::uuid[])`
    : sql`c.holder_kind = 'step' and (select s.activity_id from steps s where s.id = c.holder_id) = ${activityId}`
  const row = await tx.one(sql<{ freed: number }>`
    with freed as (
      delete from slot_claims c where ${whose} returning c.site, c.pool
    ),
    counted as (
      update slot_pools p
         set used = p.used - f.slots, updated_at = sluice_now()
        from (select site, pool, count(*)::int as slots from freed group by site, pool) f
       where p.site = f.site and p.pool = f.pool
    )
    update activities
       set n_slots = n_slots - (select count(*)::int from freed)
     where id = ${activityId} and exists (select from freed)
    returning (select count(*)::int from freed) as freed`)
  return row?.freed ?? 0
}

/** Whether a step is queued and no runner is about to take it. */
export const isQueuedWithoutRunner = async (tx: Tx, stepId: string): Promise<boolean> =>
  (await tx.one(sql`
    select from steps s
     where s.id = ${stepId}::uuid and s.status = 'queued'
       and not exists (select from runners r where r.step_id = s.id and r.status in ${comingOrLive})`)) !== undefined
