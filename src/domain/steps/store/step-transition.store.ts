import type { Tx } from '#platform/db/database.ts'
import { equalsUnindexed, raw, sql } from '#platform/db/sql.ts'
import { finalStatesOf, isFinal } from '#platform/lifecycle/lifecycle.ts'
import type { Body, StepNow, Sweep } from '../rules/next-moves.ts'
import { type StepMoveName, type StepState, stepLife } from '../rules/step.lifecycle.ts'

/**
 * Moves of one step to write. If an attempt may be running, its fence must be given: with an open body the statement
 * writes nothing unless it is the newest. `null`: a group, or a step whose own body is over.
 */
export type StepChange = {
  readonly id: string
  readonly path: readonly StepMoveName[]
  readonly to: StepState
  readonly body: Body
  /** Columns read under the lock: compared with the row, and used for the counters. */
  readonly before: Pick<StepNow, 'parent_id' | 'body' | 'needs_approval'>
  /** Takes this runner and a new fence, if the path ends with `claim`. */
  readonly claimedBy?: string
  readonly exitCode?: number | null
  readonly errorMessage?: string | null
  readonly resultSeq?: number
} & (
  | { readonly from: 'running'; readonly fence: number | null }
  | { readonly from: Exclude<StepState, 'running'>; readonly fence?: never }
)

export interface MovedStep {
  id: string
  was: StepState
  status: StepState
  step_name: string
  full_path: string
  action: string | null
  error_message: string | null
  attempt: number
  fence: number
  /** JSON text of the work to run; only for a step that was claimed now. */
  definition: string | null
  swept: boolean
}

export interface Counters {
  n_pending: number
  n_queued: number
  n_running: number
  n_waiting: number
  n_waiting_approval: number
}

const inStates = (states: readonly string[]) => raw(`(${states.map(state => `'${state}'`).join(', ')})`)
const final = inStates(finalStatesOf(stepLife))

/**
 * The only statement that writes a step's status: compare and set. The same statement moves the counters of the parents
 * and of the activity, by the old values in the changes: these are compared with every row, and unless all of them move
 * the transaction is rolled back, so that counters and steps cannot disagree. The caller holds the lock of the
 * activity's row, so what it read under that lock is still valid; a row that does not match is a bug.
 */
export async function transitionMany(
  tx: Tx,
  activityId: string,
  changes: readonly StepChange[],
  sweeps: readonly Sweep[] = [],
): Promise<{ moved: MovedStep[]; counters: Counters }> {
  const { asked, parents } = requestedRows(changes)
  const rows = await tx.rows(statement(activityId, asked, countersMovedBy(changes), sweeps))
  const moved = rows.filter(row => row.was !== null)
  const explicit = moved.filter(row => !row.swept).length
  const first = moved[0]
  if (
    !first ||
    explicit !== changes.length ||
    moved.length !== explicit + first.to_sweep ||
    rows.length < moved.length + parents
  ) {
    const ids = new Set(moved.map(row => row.id))
    const stayed = changes.find(change => !ids.has(change.id))
    throw new Error(`steps of activity ${activityId} are not what they were: ${JSON.stringify(stayed ?? sweeps)}`)
  }
  const [n_pending, n_queued, n_running, n_waiting, n_waiting_approval] = first.counters
  const counters = { n_pending, n_queued, n_running, n_waiting, n_waiting_approval }
  return { moved: moved.sort((one, other) => (one.tree_order < other.tree_order ? -1 : 1)), counters }
}

/** A row that the statement updates: a step that moves, or (no status) a parent that only loses children. */
export interface RequestedRow {
  readonly id: string
  readonly change?: StepChange
  lost: { ended: number; failed: number; broken: number }
}

/**
 * Parents that only lose a child are rows of the same update: a second update would open the table and its indexes once
 * more.
 */
export function requestedRows(changes: readonly StepChange[]): { asked: readonly RequestedRow[]; parents: number } {
  const rows = new Map<string, RequestedRow>()
  const none = () => ({ ended: 0, failed: 0, broken: 0 })
  for (const change of changes) rows.set(change.id, { id: change.id, change, lost: none() })
  for (const { to, before } of changes) {
    if (before.parent_id === null || !isFinal(stepLife, to)) continue
    const parent = rows.get(before.parent_id) ?? { id: before.parent_id, lost: none() }
    rows.set(parent.id, parent)
    parent.lost.ended += 1
    if (to !== 'success' && to !== 'skipped') parent.lost.failed += 1
    if (to === 'system_error') parent.lost.broken += 1
  }
  return { asked: [...rows.values()], parents: rows.size - changes.length }
}

/** Changes of the counters by these moves. */
export function countersMovedBy(changes: readonly StepChange[]): Counters {
  const moved: Counters = { n_pending: 0, n_queued: 0, n_running: 0, n_waiting: 0, n_waiting_approval: 0 }
  for (const { from, to, body, before } of changes) {
    const counted = (status: StepState, itsBody: Body, by: 1 | -1) => {
      if (status === 'pending') moved.n_pending += by
      if (status === 'queued') moved.n_queued += by
      if (status === 'running' && itsBody === 'open') moved.n_running += by
      if (status === 'waiting') moved.n_waiting += by
      if (status === 'waiting' && before.needs_approval) moved.n_waiting_approval += by
    }
    counted(from, before.body, -1)
    counted(to, body, 1)
  }
  return moved
}

/** New values of a step `s` from the row `m` that requests the change (`requestedColumns`), at `clock.now`. */
export const newValues = sql`
           status                 = coalesce(m.status, s.status),
           body                   = coalesce(m.body, s.body),
           open_children          = s.open_children - m.ended,
           failed_children        = s.failed_children + m.failed,
           system_failed_children = s.system_failed_children + m.broken,
           attempt       = s.attempt + case when m.claimed_by is null then 0 else 1 end,
           fence         = case when m.claimed_by is null then s.fence else nextval('fences') end,
           runner_id     = case when m.status = 'queued' then null else coalesce(m.claimed_by, s.runner_id) end,
           result_seq    = case when m.claimed_by is null then coalesce(m.result_seq, s.result_seq) else 0 end,
           exit_code     = case when m.claimed_by is null then coalesce(m.exit_code, s.exit_code) end,
           error_message = case when m.claimed_by is null then coalesce(m.error_message, s.error_message) end,
           wake_at       = case when m.status is null then s.wake_at
                                when m.status = 'waiting'
                                then coalesce(s.wait_until, clock.now + make_interval(secs => s.wait_seconds)) end,
           queued_at     = case when m.status in ('queued', 'running') and m.was in ('pending', 'waiting')
                                then clock.now else s.queued_at end,
           started_at    = case when m.claimed_by is not null then clock.now
                                when m.status in ('running', 'waiting') then coalesce(s.started_at, clock.now)
                                else s.started_at end,
           finished_at   = case when m.status in ${final} then clock.now end,
           row_version   = s.row_version + case when m.status is null then 0 else 1 end,
           updated_at    = case when m.status is null then s.updated_at else clock.now end`

/** Whether a step `s` is unchanged since the row `m` was read, and with an open body under the same fence. */
export const isUnchangedSinceRead = sql`
           (m.was is null
            or s.status = m.was and s.body = coalesce(m.body_was, s.body)
               and s.parent_id is not distinct from m.parent_id
               and (s.status <> 'running' or s.body <> 'open' or s.fence = m.fence))`

/**
 * Statement with one update of steps and one of their activity. Few plan nodes: most of the cost of a step in
 * PostgreSQL here is to start and end the plan, not the rows.
 */
function statement(activityId: string, asked: readonly RequestedRow[], by: Counters, sweeps: readonly Sweep[]) {
  const swept = sweeps.length > 0
  return sql<Row>`
    with ${swept ? sweeping(asked, sweeps) : sql``} counted as (
      update activities a
         set n_pending          = a.n_pending + ${by.n_pending} ${swept ? sql`- (select count(*)::int from swept)` : sql``},
             n_queued           = a.n_queued + ${by.n_queued},
             n_running          = a.n_running + ${by.n_running},
             n_waiting          = a.n_waiting + ${by.n_waiting},
             n_waiting_approval = a.n_waiting_approval + ${by.n_waiting_approval},
             updated_at         = sluice_now()
       where a.id = ${activityId}
      returning a.n_pending, a.n_queued, a.n_running, a.n_waiting, a.n_waiting_approval
    )
    update steps s
       set ${newValues}
      from (select sluice_now() as now offset 0) clock, ${swept ? raw('touched m') : sql`${unnested(asked)} m ${requestedColumns}`}
     where s.id = m.id and ${equalsUnindexed('s.activity_id', sql`${activityId}::uuid`)}
       and ${isUnchangedSinceRead}
    returning s.id, m.was, s.status, s.step_name, s.full_path, s.action, s.error_message, s.attempt, s.fence,
              case when m.claimed_by is not null then s.definition end as definition, m.swept, s.tree_order,
              (select array[n_pending, n_queued, n_running, n_waiting, n_waiting_approval]::int[] from counted) as counters,
              ${swept ? sql`(select count(*)::int from swept)` : sql`0`} as to_sweep`
}

/** Row of the statement's result; a parent that only lost a child has no `was`. */
type Row = MovedStep & {
  tree_order: string
  counters: readonly [number, number, number, number, number]
  to_sweep: number
}

export const requestedColumns =
  raw(`(id, was, status, body_was, body, parent_id, fence, claimed_by, exit_code, error_message, result_seq,
                      ended, failed, broken, swept)`)

export function unnested(rows: readonly RequestedRow[]) {
  const asked = <Value>(value: (change: StepChange) => Value) =>
    rows.map(({ change }) => (change ? (value(change) ?? null) : null))
  return sql`
           (select *, false from unnest(
              ${rows.map(({ id }) => id)}::uuid[], ${asked(each => each.from)}::text[], ${asked(each => each.to)}::text[],
              ${asked(({ before }) => before.body)}::text[], ${asked(each => each.body)}::text[],
              ${asked(({ before }) => before.parent_id)}::uuid[], ${asked(each => each.fence)}::bigint[],
              ${asked(each => each.claimedBy)}::uuid[], ${asked(each => each.exitCode)}::int[],
              ${asked(each => each.errorMessage)}::text[], ${asked(each => each.resultSeq)}::bigint[],
              ${rows.map(({ lost }) => lost.ended)}::int[], ${rows.map(({ lost }) => lost.failed)}::int[],
              ${rows.map(({ lost }) => lost.broken)}::int[]))`
}

/** Unfinished descendants of the swept steps, and what their parents lose. Left out where nothing is swept. */
function sweeping(asked: readonly RequestedRow[], sweeps: readonly Sweep[]) {
  const ids = asked.flatMap(({ id, change }) => (change ? [id] : []))
  return sql`recursive
    swept as (
      select s.id, s.parent_id, w.to_status
        from unnest(${sweeps.map(each => each.below)}::uuid[],
                    ${sweeps.map(each => stepLife.moves[each.move].to)}::text[]) as w(above, to_status)
        join steps s on s.parent_id = w.above
       where not s.final and s.id <> all(${ids}::uuid[])
      union all
      select s.id, s.parent_id, swept.to_status
        from swept join steps s on s.parent_id = swept.id
       where not s.final
    ),
    lost as materialized (
      select parent_id, count(*)::int as ended, (count(*) filter (where to_status <> 'skipped'))::int as failed
        from swept
       group by parent_id
    ),
    moving as materialized (
      select * from ${unnested(asked)} asked ${requestedColumns}
       union all
      select id, 'pending', to_status, null, null, parent_id, null, null, null, null, null, 0, 0, 0, true from swept
    ),
    touched ${requestedColumns} as (
      select m.id, m.was, m.status, m.body_was, m.body, m.parent_id, m.fence, m.claimed_by, m.exit_code, m.error_message,
             m.result_seq, m.ended + coalesce(l.ended, 0), m.failed + coalesce(l.failed, 0), m.broken, m.swept
        from moving m left join lost l on l.parent_id = m.id
       union all
      select l.parent_id, null, null, null, null, null, null, null, null, null, null, l.ended, l.failed, 0, false
        from lost l
       where not exists (select from moving m where m.id = l.parent_id)
    ),`
}
