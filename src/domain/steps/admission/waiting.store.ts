import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { dueBefore, elder, isStartedOnSameNode, type Maintenance, passedBy } from './admission.store.ts'
import { hasSlot, lacksSlot } from './step-slot.store.ts'

/** First reason for waiting. */
export interface WaitingReason {
  readonly kind:
    | 'maintenance'
    | 'same_name'
    | 'parallel_not_allowed'
    | 'slot'
    | 'approval'
    | 'input'
    | 'timer'
    | 'start_time'
    | 'paused'
  /** Blocker: a user, another activity's id, a pool or a limit, or the full path of the step that waits. */
  readonly by: string | null
  readonly since: string
  readonly estimated_until?: string
}

export interface MaintenanceInForce extends Maintenance {
  readonly by: string | null
  readonly since: string
}

interface Facts {
  readonly status: string
  readonly pause_state: string
  readonly paused_by: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly run_at: string | null
  readonly early: boolean
  readonly held: boolean
  readonly elder: string | null
  readonly beside: string | null
  readonly pool: string
  readonly full: boolean
  /** Time since which it runs without a slot, although its steps need some. */
  readonly without_slot: string | null
  readonly step: WaitingStep | null
}

export interface WaitingStep {
  readonly status: string
  readonly full_path: string
  readonly needs_approval: boolean
  readonly wake_at: string | null
  readonly since: string
}

/**
 * Reason why an activity does not continue: the first condition of admission that does not hold, or what all its
 * outstanding steps wait for. Undefined when nothing blocks it.
 */
export async function whyActivityWaits(
  queries: Queries,
  id: string,
  maintenance: MaintenanceInForce,
): Promise<WaitingReason | undefined> {
  const facts = await queries.one(sql<Facts>`
    select a.status, a.pause_state, a.paused_by, a.created_at, a.updated_at, a.run_at,
           coalesce(a.run_at > sluice_now(), false) as early, ${heldByMaintenance(maintenance)} as held,
           case when not a.allow_same_name
                then coalesce((select x.id from activities x where ${elder(maintenance)} order by x.number limit 1),
                              (select x.id from activities x where ${passedBy} order by x.number limit 1)) end as elder,
           coalesce((select x.id from activities x where a.kind = 'change' and ${isStartedOnSameNode} order by x.number limit 1),
                    case when a.kind = 'change' and not a.allow_parallel
                         then (select x.id from activities x where ${dueBefore(maintenance)} order by x.number limit 1)
                    end) as beside,
           a.pool, p.used >= p.configured_limit as full,
           case when a.n_slots = 0 and ${lacksSlot}
                then (select min(s.queued_at) from steps s
                       where s.activity_id = a.id and s.status = 'queued') end as without_slot,
           case when a.status = 'waiting'
                then (select ${waitingStep} from steps s
                       where s.activity_id = a.id and s.status = 'waiting' order by s.tree_order limit 1) end as step
      from activities a join slot_pools p on p.site = a.site and p.pool = a.pool
     where a.id = ${id}::uuid`)
  return facts && reasonOf(facts, maintenance)
}

function reasonOf(facts: Facts, maintenance: MaintenanceInForce): WaitingReason | undefined {
  const since = facts.created_at
  if (facts.pause_state === 'paused') return { kind: 'paused', by: facts.paused_by, since: facts.updated_at }
  if (facts.status === 'waiting') return facts.step ? reasonOfWaiting(facts.step) : undefined
  if (facts.status === 'queued') return { kind: 'slot', by: facts.pool, since: facts.updated_at }
  if (facts.without_slot !== null && facts.full) return { kind: 'slot', by: facts.pool, since: facts.without_slot }
  if (facts.status !== 'pending') return undefined
  if (facts.early) return { kind: 'start_time', by: null, since, estimated_until: facts.run_at! }
  if (facts.held) return { kind: 'maintenance', by: maintenance.by, since: later(since, maintenance.since) }
  if (facts.elder !== null) return { kind: 'same_name', by: facts.elder, since }
  if (facts.beside !== null) return { kind: 'parallel_not_allowed', by: facts.beside, since }
  return facts.full ? { kind: 'slot', by: facts.pool, since } : undefined
}

/**
 * Reason why a step does not continue. A step that has not begun waits for the same as its activity, if that has not
 * begun either.
 */
export async function whyStepWaits(
  queries: Queries,
  id: string,
  maintenance: MaintenanceInForce,
): Promise<WaitingReason | undefined> {
  const row = await queries.one(sql<{
    step: WaitingStep
    activity_id: string
    crowded: boolean
    begun: boolean
    pool: string
    full: boolean
    held_by: string | null
    held_since: string | null
  }>`
    select ${waitingStep} as step, a.id as activity_id,
           greatest(a.n_running, a.n_slots) >= a.parallel_steps and not ${hasSlot} as crowded,
           a.status <> 'pending' as begun, p.pool, p.used >= p.configured_limit and ${lacksSlot} and not ${hasSlot} as full,
           case when a.pause_state <> 'none' then a.paused_by end as held_by,
           case when a.pause_state <> 'none' then a.updated_at end as held_since
      from steps s
      join activities a on a.id = s.activity_id
      join slot_pools p on p.site = a.site and p.pool = a.pool
     where s.id = ${id}::uuid`)
  if (!row) return undefined
  const { step, activity_id, crowded, begun, pool, full, held_by: by, held_since: since } = row
  // A person may decide meanwhile, but no timer fires.
  if (step.status === 'waiting' && step.wake_at !== null && since !== null) return { kind: 'paused', by, since }
  if (step.status === 'waiting') return reasonOfWaiting(step)
  if (step.status !== 'queued' && (step.status !== 'pending' || begun)) return undefined
  const ofActivity = await whyActivityWaits(queries, activity_id, maintenance)
  if (ofActivity || step.status === 'pending') return ofActivity
  if (crowded) return { kind: 'slot', by: 'parallel_change_worker_steps', since: step.since }
  return full ? { kind: 'slot', by: pool, since: step.since } : undefined
}

/** Columns of the step `s` that determine what it waits for, as JSON. */
export const waitingStep = sql`
  json_build_object('status', s.status, 'full_path', s.full_path, 'needs_approval', s.needs_approval,
                    'wake_at', ${instant(sql`s.wake_at`)},
                    'since', ${instant(sql`coalesce(case when s.status = 'waiting' then s.started_at end, s.queued_at, s.created_at)`)})`

/** Time in the form of records: PostgreSQL's JSON would write it with an offset. */
export function instant(at: Sql): Sql {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Reason why a waiting step waits. */
export function reasonOfWaiting({ full_path, needs_approval, wake_at, since }: WaitingStep): WaitingReason {
  if (needs_approval) return { kind: 'approval', by: full_path, since }
  if (wake_at !== null) return { kind: 'timer', by: full_path, since, estimated_until: wake_at }
  return { kind: 'input', by: full_path, since }
}

function heldByMaintenance({ mode, superusers }: Maintenance): Sql {
  if (mode === 'disabled') return sql`false`
  if (mode === 'enabled') return sql`not a.under_way`
  return sql`(not a.under_way and (a.user_id is null or a.scope_project_id is not null or a.user_id <> all(${superusers}::uuid[])))`
}

const later = (one: string, other: string): string => (one > other ? one : other)
