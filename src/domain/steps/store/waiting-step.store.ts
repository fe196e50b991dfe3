import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { DueStep } from '../engine.port.ts'
import type { Approvable, Approval, ApprovalRule } from '../rules/approvals.ts'
import type { StepState } from '../rules/step.lifecycle.ts'

/** Step that is decided on, with the fields of its activity that the decision needs. */
export interface DecidedStep {
  readonly id: string
  readonly activity_id: string
  readonly activity_kind: 'change' | 'workflow_run'
  readonly status: StepState
  readonly step_type: string
  readonly needs_approval: boolean
  readonly full_path: string
  readonly path: string
  readonly project_id: string
  readonly node_id: string
  readonly requires_approval_from: readonly ApprovalRule[]
  readonly approved_by: readonly Approval[]
  /** Input arguments, sealed; null for steps that ask for nothing. */
  readonly input_arguments: Buffer | null
  /** User who created the activity. */
  readonly creator_id: string | null
  readonly row_version: number
}

/** Step that a person decides on. Undefined when there is none, or its node was destroyed. */
export const findDecidedStep = (queries: Queries, id: string): Promise<DecidedStep | undefined> =>
  queries.one(sql<DecidedStep>`
    select s.id, s.activity_id, a.kind as activity_kind, s.status, s.step_type, s.needs_approval, s.full_path, s.path, s.project_id, a.node_id,
           s.requires_approval_from, s.approved_by, s.input_arguments, a.user_id as creator_id, s.row_version
      from steps s
      join activities a on a.id = s.activity_id
      join nodes n on n.id = a.node_id and n.destroyed_at is null
     where s.id = ${id}::uuid`)

export const approvableOf = (
  step: Pick<DecidedStep, 'requires_approval_from' | 'approved_by' | 'creator_id'>,
): Approvable => ({ rules: step.requires_approval_from, approvals: step.approved_by, creatorId: step.creator_id })

/** Stored fields of a decision on a step and its activity. */
export interface Decision {
  readonly username: string
  readonly message?: string | undefined
  /** Indexes of the rules that an approval counts for. */
  readonly rules?: readonly number[]
  /** Hash of the plan that was approved. */
  readonly planSha?: string | null
}

/** The caller has locked the activity. */
export async function noteDecision(
  tx: Tx,
  step: Pick<DecidedStep, 'id' | 'activity_id' | 'full_path'>,
  column: 'approved_by' | 'rejected_by',
  { username, message, rules, planSha }: Decision,
): Promise<void> {
  const said = {
    username,
    ...(message !== undefined && { message }),
    ...(rules && { rules }),
    ...(planSha && { plan_sha: planSha }),
  }
  const rejected = column === 'rejected_by'
  await tx.count(sql`
    with decision as materialized (
      select jsonb_build_object('at', to_char(sluice_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ||
             ${JSON.stringify(said)}::jsonb as it
    ),
    step as (
      update steps s
         set ${sql.ref(column)} = s.${sql.ref(column)} || decision.it,
             rejected    = s.rejected or ${rejected},
             row_version = s.row_version + 1,
             updated_at  = sluice_now()
        from decision
       where s.id = ${step.id}::uuid
    )
    update activities a
       set ${sql.ref(column)} = a.${sql.ref(column)} || (decision.it || jsonb_build_object('step', ${step.full_path}::text)),
           rejected    = a.rejected or ${rejected},
           row_version = a.row_version + 1,
           updated_at  = sluice_now()
      from decision
     where a.id = ${step.activity_id}::uuid`)
}

/** The caller has locked the activity. */
export async function noteContinued(tx: Tx, stepId: string, username: string): Promise<void> {
  await tx.count(sql`update steps set continued_by = ${username} where id = ${stepId}::uuid`)
}

/** Activities with a step whose time has come, except these; none that is paused or stopping. */
export async function activitiesToWake(queries: Queries, but: readonly string[], most: number): Promise<string[]> {
  // The clock is read once: an index cannot be searched for a value that may differ with each row.
  const rows = await queries.rows(sql<{ activity_id: string }>`
    select distinct s.activity_id
      from steps s
      join activities a on a.id = s.activity_id
     where s.status = 'waiting' and s.wake_at <= (select sluice_now())
       and a.pause_state = 'none' and a.cancel_requested_at is null and not a.rejected
       and a.id <> all(${[...but]}::uuid[])
     limit ${most}`)
  return rows.map(({ activity_id }) => activity_id)
}

/** Waiting steps of an activity whose time has come. */
export const dueSteps = (tx: Tx, activityId: string): Promise<DueStep[]> =>
  tx.rows(sql<DueStep>`
    select id, full_path, wait_seconds, input_arguments
      from steps
     where activity_id = ${activityId} and status = 'waiting' and wake_at <= sluice_now()
     order by tree_order`)

/** Sets the time at which steps continue by themselves, as an interval from now; without one they wait for people. */
export async function setTimer(
  tx: Tx,
  activityId: string,
  steps: readonly DueStep[],
  after: string | null,
): Promise<void> {
  await tx.count(sql`
    with set_anew as (
      update steps
         set wake_at = sluice_now() + ${after}::interval, row_version = row_version + 1, updated_at = sluice_now()
       where id = any(${steps.map(({ id }) => id)}::uuid[])
    )
    update activities set updated_at = sluice_now() where id = ${activityId}`)
}
