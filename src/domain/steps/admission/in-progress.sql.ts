import { type Sql, sql } from '#platform/db/sql.ts'
import { lacksSlot, waitingStepsOf } from './step-slot.store.ts'
import { instant, reasonOfWaiting, type WaitingReason, type WaitingStep, waitingStep } from './waiting.store.ts'

/** Condition on `activities a` for the drain: a pending activity that is blocked is not in progress. */
const inProgress = sql`not a.final and a.status in ('queued', 'running', 'waiting')`

/** Rows {kind, count}. */
export const activitiesInProgress = sql<{ kind: string; count: number }>`
  select a.kind, count(*) as count from activities a where ${inProgress} group by a.kind`

/** Rows {kind, status, count} of unfinished activities, by their status in lists. */
export const unfinishedActivities = sql<{ kind: string; status: string; count: number }>`
  select a.kind, a.reported_status as status, count(*) as count from activities a where not a.final group by 1, 2`

/**
 * Number of activities that wait for a slot of a pool, or for the conditions before that; also of steps that need slots
 * of their own.
 */
export const waitingActivitiesOf = (site: Sql, pool: Sql): Sql<number> => sql<number>`
  (select count(*) from activities a where a.site = ${site} and a.pool = ${pool} and a.status = 'pending')
   + (select count(*) from activities a where a.site = ${site} and a.pool = ${pool} and a.status = 'queued')
   + ${waitingStepsOf(site, pool)}`

/** Columns of an activity that determine what it waits for. */
export interface WaitingActivity {
  readonly status: string
  readonly pool: string
  readonly updated_at: string
  readonly pause_state: string
  readonly paused_by: string | null
  readonly cancelled_by: string | null
  /** Whether its steps need slots of their own, and none has one. */
  readonly lacks_slot: boolean
  /** The first of its steps that waits; if none does, the first that runs. */
  readonly step: (WaitingStep & { readonly rules: readonly Approvers[] }) | null
}

interface Approvers {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
}

/** Person or event that an activity waits for before it can continue or end. */
export interface Awaited extends Omit<WaitingReason, 'kind'> {
  readonly kind: WaitingReason['kind'] | 'step' | 'cancel'
  /** Approvers, for an approval. */
  readonly approvers?: { readonly user_names: readonly string[]; readonly ldap_groups: readonly string[] }
}

/**
 * The oldest in progress: {kind, id, path, status, since, created_by, waits}, where `waits` is a WaitingActivity as
 * JSON.
 *
 * @param most maximum number
 */
export const oldestInProgress = (most: number): Sql => sql`
  select a.kind, a.id, a.path, a.reported_status as status, a.started_at as since, a.created_by,
         json_build_object('status', a.status, 'pool', a.pool, 'updated_at', ${instant(sql`a.updated_at`)},
                           'pause_state', a.pause_state, 'paused_by', a.paused_by, 'cancelled_by', a.cancelled_by,
                           'lacks_slot', a.n_slots = 0 and ${lacksSlot}, 'step', s.step) as waits
    from (select * from activities a where ${inProgress} order by a.started_at, a.id limit ${most}) a
    left join lateral (
      select (${waitingStep}::jsonb || jsonb_build_object('rules', s.requires_approval_from)) as step
        from steps s
       where s.activity_id = a.id
         and (s.status = 'waiting' or s.status = 'running' and s.body = 'open')
       order by s.status = 'running', s.tree_order
       limit 1) s on true`

/**
 * Person or thing that an activity in progress waits for; undefined while it only waits for the next step to be
 * claimed.
 */
export function awaited(waiting: WaitingActivity): Awaited | undefined {
  const { step } = waiting
  const since = waiting.updated_at
  if (waiting.cancelled_by !== null) return { kind: 'cancel', by: waiting.cancelled_by, since }
  if (step?.status === 'running') return { kind: 'step', by: step.full_path, since: step.since }
  if (waiting.pause_state === 'paused') return { kind: 'paused', by: waiting.paused_by, since }
  if (waiting.status === 'queued' || waiting.lacks_slot) return { kind: 'slot', by: waiting.pool, since }
  if (!step) return undefined
  const reason = reasonOfWaiting(step)
  if (reason.kind !== 'approval') return reason
  const named = (key: keyof Approvers) => [...new Set(step.rules.flatMap(rule => rule[key] ?? []))]
  return { ...reason, approvers: { user_names: named('user_names'), ldap_groups: named('ldap_groups') } }
}
