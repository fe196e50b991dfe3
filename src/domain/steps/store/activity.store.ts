import type { Context } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { raw, sql } from '#platform/db/sql.ts'
import { follow, isFinal } from '#platform/lifecycle/lifecycle.ts'
import { type ActivityMoveName, type ActivityState, activityLife } from '../rules/activity.lifecycle.ts'
import type { Stopping } from '../rules/next-moves.ts'
import type { Counters } from './step-transition.store.ts'

export interface Activity extends Counters {
  id: string
  kind: 'change' | 'workflow_run'
  node_id: string
  project_id: string
  path: string
  site: string
  pool: string
  name_key: string
  status: ActivityState
  pause_state: 'none' | 'pausing' | 'paused'
  stopping: Stopping
  holds_slot: boolean
  /** Whether each of its steps runs in a runner of its own, under a slot of its own (docs/adr/0068). */
  per_step: boolean
  /** The slots that its steps hold. */
  n_slots: number
  parallel_steps: number
  on_runner_lost: 'error' | 'restart'
  runner_kind: 'process' | 'container' | 'kubernetes'
  runner_options: object
  root_step_id: string | null
  cancelled_by: string | null
  cancelled_by_id: string | null
  /** The step of a workflow run that created it. */
  workflow_step_id: string | null
}

const activityColumns = raw(
  `id, kind, node_id, project_id, path, site, pool, name_key, status, pause_state,
   case when cancel_requested_at is not null then 'cancelled' when rejected then 'rejected' end as stopping,
   holds_slot, pod_per_step and not holds_slot as per_step, n_slots, parallel_steps, on_runner_lost, runner_kind,
   runner_options, root_step_id, cancelled_by, cancelled_by_id,
   workflow_step_id,
   n_pending, n_queued, n_running, n_waiting, n_waiting_approval`,
)

/**
 * Columns that restrict the planner to indexes until the end of the transaction. While a table is young, plans are made
 * for its few rows of that moment, and cached: a step that ended among 10,000 then read them all, and a cancel of
 * 10,000 compared each with each, for more than 30 s.
 */
const plansByKeys = raw(`set_config('enable_seqscan', 'off', true) as seqscan,
  set_config('plan_cache_mode', 'force_generic_plan', true) as plans`)

/** Columns that the statement locking an activity reads. The rest of the transaction has plans by keys. */
export const lockedColumns = sql`${activityColumns}, ${plansByKeys}`

/**
 * The lock under which every step of an activity moves. Not `for update`: that would block each insert with a foreign
 * key to the activity. Steps are read by a later statement, because one that waited for the lock still sees the earlier
 * state.
 */
export function lockActivity(tx: Tx, id: string): Promise<Activity | undefined> {
  return tx.one(sql<Activity>`select ${lockedColumns} from activities where id = ${id} for no key update`)
}

/**
 * Locks an activity for a command on it. It may have changed since the read that If-Match was checked with.
 *
 * @throws Failure (412) if it no longer has the version that the caller has seen
 */
export async function lockAsSeen(
  { tx, requireMatch }: Pick<Context, 'tx' | 'requireMatch'>,
  id: string,
): Promise<void> {
  const now = await tx.one(sql<{ row_version: number }>`
    select row_version from activities where id = ${id}::uuid for no key update`)
  if (now) requireMatch(now.row_version)
}

/** Attributes of the request for a cancel, for the event of the cancel. */
export async function requestOfCancel(tx: Tx, id: string): Promise<Record<string, unknown>> {
  const row = await tx.one(sql<{ request: Record<string, unknown> | null }>`
    select cancel_request as request from activities where id = ${id}`)
  return row?.request ?? {}
}

/**
 * The only statement that writes an activity's status: compare and set, under the activity's lock.
 *
 * @throws when it no longer has the status that was read: a bug, since it is locked
 */
export async function transitionActivity(
  tx: Tx,
  activity: Activity,
  path: readonly ActivityMoveName[],
  what: { errorMessage?: string } = {},
): Promise<Activity> {
  const to = follow(activityLife, activity.status, path)
  const moved = await tx.one(sql<Activity>`
    with clock as materialized (select sluice_now() as now)
    update activities a
       set status        = ${to},
           started_at    = case when ${path.includes('start')} then clock.now else started_at end,
           waiting_since = case when ${to === 'waiting'} then clock.now end,
           finished_at   = case when ${isFinal(activityLife, to)} then clock.now end,
           error_message = coalesce(${what.errorMessage ?? null}, error_message),
           pause_state   = case when ${isFinal(activityLife, to)} then 'none' else pause_state end,
           paused_by     = case when ${isFinal(activityLife, to)} then null else paused_by end,
           row_version   = row_version + 1,
           updated_at    = clock.now
      from clock
     where id = ${activity.id} and status = ${activity.status}
    returning ${activityColumns}`)
  if (!moved) throw new Error(`activity ${activity.id} is not ${activity.status} any more`)
  return moved
}

export const hasSlotPerStep = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.one(sql`select from activities where id = ${id} and pod_per_step`)) !== undefined

export const writeCancel = (
  tx: Tx,
  id: string,
  actor: { readonly userId: string | null; readonly username: string },
  about: Readonly<Record<string, unknown>>,
): Promise<number> =>
  tx.count(sql`
    update activities
       set cancelled_by        = ${actor.username},
           cancelled_by_id     = ${actor.userId},
           cancel_requested_at = sluice_now(),
           cancel_request      = ${JSON.stringify(about)}::jsonb,
           row_version         = row_version + 1,
           updated_at          = sluice_now()
     where id = ${id}`)

/** An activity, and the version of its row (`seen`). */
export const findAsSeen = (tx: Tx, id: string): Promise<(Activity & { seen: string }) | undefined> =>
  tx.one(sql<Activity & { seen: string }>`
    select ${activityColumns}, xmin::text as seen from activities where id = ${id}`)
