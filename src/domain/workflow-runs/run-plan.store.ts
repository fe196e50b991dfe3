import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Step of a run that is created only to be planned. */
export interface PlannedRunStep {
  readonly id: string
  readonly run_id: string
  readonly parent_id: string | null
  readonly full_path: string
  readonly name: string
  readonly step_type: string
  readonly child_execution_strategy: string
  readonly ignore_failure: boolean
  readonly skip_requested: boolean
  readonly reset_on_retry: boolean
  readonly requires_approval_from: readonly object[]
  /** Paths of nodes. */
  readonly targets: readonly string[]
  readonly action: string | null
  readonly template_version: string | null
  readonly workflow_code: string | null
  readonly start_time: string | null
  /** Whether it retries a change or run that exists. */
  readonly retries: boolean
  /** Whether a retry takes it over as it ended. */
  readonly final: boolean
  readonly needs_approval: boolean
}

/** The steps of each of these runs, root first, in reading order. */
export const plannedSteps = (queries: Queries, runIds: readonly string[]): Promise<PlannedRunStep[]> =>
  queries.rows(sql<PlannedRunStep>`
    select s.id, s.activity_id as run_id, s.parent_id, s.full_path, s.step_name as name, s.step_type, s.child_execution_strategy,
           s.ignore_failure, s.skip_requested, s.reset_on_retry, s.requires_approval_from,
           coalesce(to_jsonb(w.targets), '[]') as targets, w.action, w.template_version, w.workflow_code, w.start_time,
           exists (select from activities before where before.id = w.retries) as retries, s.final, s.needs_approval
      from steps s
      left join workflow_steps w on w.id = s.id
     where s.activity_id = any(${[...runIds]}::uuid[])
     order by s.activity_id, s.tree_order`)

/** Run that a step which a retry takes over had started. */
export interface KeptRun {
  readonly step_id: string
  readonly run_id: string
}

/** Runs that the ended steps of these runs had started. */
export const keptRunsOf = (queries: Queries, runIds: readonly string[]): Promise<KeptRun[]> =>
  queries.rows(sql<KeptRun>`
    select s.id as step_id, made.id as run_id
      from steps s
      join activities made on made.workflow_step_id = coalesce(s.ran_as, s.id) and made.kind = 'workflow_run'
     where s.activity_id = any(${[...runIds]}::uuid[]) and s.final and s.step_type = 'workflow'
     order by s.activity_id, s.tree_order`)

export const countSteps = async (queries: Queries, runIds: readonly string[]): Promise<number> =>
  (await queries.one(sql<{ steps: number }>`
    select count(*)::int as steps from steps where activity_id = any(${[...runIds]}::uuid[])`))!.steps
