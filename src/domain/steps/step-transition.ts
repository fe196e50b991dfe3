import type { Tx } from '#platform/db/database.ts'
import { raw, type Sql, sql } from '#platform/db/sql.ts'
import { finalStatesOf } from '#platform/lifecycle/lifecycle.ts'
import type { Body, Sweep } from './next-moves.ts'
import { type StepMoveName, type StepState, stepLife } from './step.lifecycle.ts'

/**
 * One step's moves, to be written. Where an attempt may be under way its fence must be said: with an open body the
 * statement writes nothing unless it is the newest. `null`: a group, or a step whose own body is over.
 */
export type StepChange = {
  readonly id: string
  readonly path: readonly StepMoveName[]
  readonly to: StepState
  readonly body: Body
  /** Takes this runner and a new fence: of a path that ends with `claim`. */
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
  /** JSON text of what there is to run; only of a step that was claimed now. */
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
 * and of the activity by the rows that it moved, so that they cannot disagree with them. The caller holds the lock of
 * the activity's row, so what it read under that lock still stands; a row that does not is a bug, and everything of the
 * transaction is undone.
 */
export async function transitionMany(
  tx: Tx,
  activityId: string,
  changes: readonly StepChange[],
  sweeps: readonly Sweep[] = [],
): Promise<{ moved: MovedStep[]; counters: Counters }> {
  const rows = await tx.rows(statement(activityId, changes, sweeps))
  const first = rows[0]
  const explicit = rows.filter(row => !row.swept).length
  if (!first || explicit !== changes.length || rows.length !== explicit + first.to_sweep) {
    const moved = new Set(rows.map(row => row.id))
    const stayed = changes.find(change => !moved.has(change.id))
    throw new Error(`steps of activity ${activityId} are not what they were: ${JSON.stringify(stayed ?? sweeps)}`)
  }
  const { n_pending, n_queued, n_running, n_waiting, n_waiting_approval } = first
  return { moved: rows, counters: { n_pending, n_queued, n_running, n_waiting, n_waiting_approval } }
}

/**
 * `is not distinct from` where `=` would do: an equal sign tempts the planner, while statistics are young, to walk the
 * index of the whole activity instead of the keys (10,000 rows for a step that ends). `offset 0`, for the same reason,
 * keeps it from joining the whole table. Parents that only lose a child (no status) are among the rows of the one update:
 * a second one opens the table with its indexes and checks again, a fifth of what the statement costs.
 */
function statement(activityId: string, changes: readonly StepChange[], sweeps: readonly Sweep[]) {
  const ids = changes.map(change => change.id)
  return sql<MovedStep & Counters & { to_sweep: number }>`
    with recursive clock as materialized (select sluice_now() as now),
    asked as (
      select *
        from unnest(${ids}::uuid[],
                    ${changes.map(each => each.from)}::text[],
                    ${changes.map(each => each.to)}::text[],
                    ${changes.map(each => each.body)}::text[],
                    ${changes.map(each => each.fence ?? null)}::bigint[],
                    ${changes.map(each => each.claimedBy ?? null)}::uuid[],
                    ${changes.map(each => each.exitCode ?? null)}::int[],
                    ${changes.map(each => each.errorMessage ?? null)}::text[],
                    ${changes.map(each => each.resultSeq ?? null)}::bigint[])
          as asked(id, from_status, to_status, to_body, fence, claimed_by, exit_code, error_message, result_seq)
    ),
    ${sweeps.length > 0 ? sweptBy(ids, sweeps) : sql``}
    moving as materialized (
      select s.id, s.parent_id, s.status as was, s.body as body_was, s.needs_approval,
             asked.to_status as status, asked.to_body as body,
             asked.claimed_by, asked.exit_code, asked.error_message, asked.result_seq, false as swept
        from asked
       cross join lateral (select * from steps where id = asked.id offset 0) s
       where s.activity_id is not distinct from ${activityId}::uuid and s.status = asked.from_status
         and (s.status <> 'running' or s.body <> 'open' or s.fence = asked.fence)
      ${sweeps.length > 0 ? movingBySweep(activityId) : sql``}
    ),
    lost as materialized (
      select parent_id, count(*)::int                                                      as ended,
             (count(*) filter (where status not in ('success', 'skipped')))::int as failed,
             (count(*) filter (where status = 'system_error'))::int              as broken
        from moving
       where status in ${final} and parent_id is not null
       group by parent_id
    ),
    touched as (
      select m.*, coalesce(l.ended, 0) as ended, coalesce(l.failed, 0) as failed, coalesce(l.broken, 0) as broken
        from moving m left join lost l on l.parent_id = m.id
       union all
      select l.parent_id, null, null, null, null, null, null, null, null, null, null, false, l.ended, l.failed, l.broken
        from lost l
       where not exists (select from moving m where m.id = l.parent_id)
    ),
    moved as (
      update steps s
         set status                 = coalesce(m.status, s.status),
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
             updated_at    = case when m.status is null then s.updated_at else clock.now end
        from clock, touched m
       where s.id = m.id
      returning s.id, m.was, s.status, s.step_name, s.full_path, s.action, s.error_message, s.attempt, s.fence,
                case when m.claimed_by is not null then s.definition end as definition, m.swept, s.tree_order
    ),
    counted as (
      update activities a
         set n_pending          = a.n_pending + d.pending,
             n_queued           = a.n_queued + d.queued,
             n_running          = a.n_running + d.running,
             n_waiting          = a.n_waiting + d.waiting,
             n_waiting_approval = a.n_waiting_approval + d.approval,
             updated_at         = clock.now
        from clock, (
          select ${change(sql`status = 'pending'`, sql`was = 'pending'`)} as pending,
                 ${change(sql`status = 'queued'`, sql`was = 'queued'`)} as queued,
                 ${change(sql`status = 'running' and body = 'open'`, sql`was = 'running' and body_was = 'open'`)} as running,
                 ${change(sql`status = 'waiting'`, sql`was = 'waiting'`)} as waiting,
                 ${change(sql`status = 'waiting' and needs_approval`, sql`was = 'waiting' and needs_approval`)} as approval
            from moving) d
       where a.id = ${activityId}
      returning a.n_pending, a.n_queued, a.n_running, a.n_waiting, a.n_waiting_approval
    )
    select moved.*, counted.*, ${sweeps.length > 0 ? sql`(select count(*)::int from swept)` : sql`0`} as to_sweep
      from moved cross join counted
     where moved.was is not null
     order by moved.tree_order`
}

/** Everything unfinished beneath the swept steps. Left out where nothing is: it would cost each step a third more. */
const sweptBy = (ids: readonly string[], sweeps: readonly Sweep[]) => sql`
    swept as (
      select s.id, w.to_status
        from unnest(${sweeps.map(each => each.beneath)}::uuid[],
                    ${sweeps.map(each => stepLife.moves[each.move].to)}::text[]) as w(above, to_status)
        join steps s on s.parent_id = w.above
       where not s.final and s.id <> all(${ids}::uuid[])
      union all
      select s.id, swept.to_status
        from swept join steps s on s.parent_id = swept.id
       where not s.final
    ),`

const movingBySweep = (activityId: string) => sql`
      union all
      select s.id, s.parent_id, s.status, s.body, s.needs_approval, swept.to_status, s.body,
             null, null, null, null, true
        from swept
        join steps s on s.id = swept.id and s.activity_id is not distinct from ${activityId}::uuid
       where s.status = 'pending'`

/** How many more rows are so than were so. */
const change = (after: Sql, before: Sql) =>
  sql`(count(*) filter (where ${after}) - count(*) filter (where ${before}))::int`
