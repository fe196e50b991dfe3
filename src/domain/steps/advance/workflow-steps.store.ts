import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Body } from '../rules/next-moves.ts'
import type { Activity } from '../store/activity.store.ts'

/**
 * Steps of workflow runs that create a change or another run. No runner takes them: the code that creates the child
 * starts the step in the same transaction, and the end of the child ends the step.
 */
export interface CreatingStep {
  readonly id: string
  readonly step_type: 'change' | 'workflow'
  readonly full_path: string
  readonly parent_id: string | null
  readonly body: Body
  readonly needs_approval: boolean
  readonly ignore_failure: boolean
}

/** Maximum number, and the ids that are postponed. */
export interface Looking {
  readonly limit: number
  readonly postponed: readonly string[]
}

/** Runs in which a step may start, the oldest first. */
export const runsWithQueuedSteps = async (queries: Queries, { limit, postponed }: Looking): Promise<string[]> => {
  const rows = await queries.rows(sql<{ id: string }>`
    select a.id
      from activities a
     where a.id in (select s.activity_id from steps s where s.status = 'queued' and s.step_type in ('change', 'workflow'))
       and a.status = 'running' and a.pause_state = 'none' and a.cancel_requested_at is null and not a.rejected
       and a.id <> all(${[...postponed]}::uuid[])
     order by a.number
     limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Step that has created a child, with the child's state. */
export interface StepWithChild {
  readonly step_id: string
  readonly full_path: string
  readonly ignore_failure: boolean
  /** Whether its body is open: the end of the change or run has not been reported to it. */
  readonly open: boolean
  readonly made_id: string
  readonly made_kind: Activity['kind']
  readonly made_reported: string
  readonly made_final: boolean
  readonly made_error: string | null
  readonly made_cancelled_by: string | null
  readonly run_id: string
  readonly run_node_id: string
  readonly run_project_id: string
  readonly run_path: string
}

export const findStepWithChild = (queries: Queries, stepId: string): Promise<StepWithChild | undefined> =>
  queries.one(sql<StepWithChild>`
    select s.id as step_id, s.full_path, s.ignore_failure, s.status = 'running' and s.body = 'open' as open,
           m.id as made_id, m.kind as made_kind, m.reported_status as made_reported,
           m.final as made_final, m.error_message as made_error, m.cancelled_by as made_cancelled_by,
           r.id as run_id, r.node_id as run_node_id, r.project_id as run_project_id, r.path as run_path
      from steps s
      join activities r on r.id = s.activity_id
      join activities m on m.workflow_step_id = s.id
     where s.id = ${stepId}::uuid`)

/** Ids of unfinished changes and runs that the steps of a run have created. */
export const unfinishedOf = async (queries: Queries, runId: string): Promise<string[]> => {
  const rows = await queries.rows(sql<{ id: string }>`
    select m.id
      from steps s join activities m on m.workflow_step_id = s.id
     where s.activity_id = ${runId}::uuid and s.status = 'running' and not m.final
     order by s.tree_order`)
  return rows.map(({ id }) => id)
}

/** Children of runs being cancelled that were not cancelled yet: each an activity, and the user in whose name. */
export const toCancelWithTheirRuns = (
  queries: Queries,
  { limit, postponed }: Looking,
): Promise<{ id: string; userId: string | null; username: string }[]> =>
  queries.rows(sql<{ id: string; userId: string | null; username: string }>`
    select m.id, a.cancelled_by_id as "userId", a.cancelled_by as username
      from activities a
      join steps s on s.activity_id = a.id and s.status = 'running'
      join activities m on m.workflow_step_id = s.id and not m.final and m.cancel_requested_at is null
     where a.cancel_requested_at is not null and not a.final and a.kind = 'workflow_run'
       and m.id <> all(${[...postponed]}::uuid[])
     order by m.number
     limit ${limit}`)

export interface News {
  readonly step_id: string
  readonly run_id: string
  /** Whether the run has ended; its children may not have. */
  readonly run_final: boolean
}

/** Takes child news of a step that no other transaction is handling; deleted with the transaction that takes it. */
export const takeNews = (tx: Tx, { postponed }: Pick<Looking, 'postponed'>): Promise<News | undefined> =>
  tx.one(sql<News>`
    with taken as (
      delete from workflow_step_news
       where id = (select n.id from workflow_step_news n where ${notOf(postponed)} order by n.id limit 1 for update skip locked)
      returning step_id
    )
    select s.id as step_id, s.activity_id as run_id, a.final as run_final
      from taken join steps s on s.id = taken.step_id join activities a on a.id = s.activity_id`)

const notOf = (runs: readonly string[]) =>
  runs.length === 0
    ? sql`true`
    : sql`not exists (select from steps s where s.id = n.step_id and s.activity_id = any(${[...runs]}::uuid[]))`

/** The first queued step of a run that creates a change or another run. */
export const firstQueuedCreatingStep = (tx: Tx, runId: string): Promise<CreatingStep | undefined> =>
  tx.one(sql<CreatingStep>`
    select id, step_type, full_path, parent_id, body, needs_approval, ignore_failure
      from steps
     where activity_id = ${runId}::uuid and status = 'queued' and step_type in ('change', 'workflow')
     order by tree_order
     limit 1`)

export const noteRejected = (tx: Tx, stepId: string): Promise<number> =>
  tx.count(sql`update steps set rejected = true where id = ${stepId}::uuid`)

/** Whether any child of the run is not paused yet. */
export const isAnyMoving = async (tx: Tx, runId: string): Promise<boolean> =>
  (await tx.one(sql`
    select
      from steps s
      left join activities m on m.workflow_step_id = s.id
     where s.activity_id = ${runId}::uuid and s.status = 'running' and s.body = 'open'
       and (m.pause_state is null or m.pause_state <> 'paused' and not m.final)
     limit 1`)) !== undefined

export const pausedBy = async (tx: Tx, runId: string): Promise<string | null> =>
  (
    await tx.one(sql<{ paused_by: string | null }>`
    select paused_by from activities where id = ${runId}::uuid`)
  )?.paused_by ?? null
