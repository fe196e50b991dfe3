import type { Tx } from '#platform/db/database.ts'
import { together } from '#platform/db/pipeline.ts'
import { sql } from '#platform/db/sql.ts'
import { mainSite, type Site } from '#platform/site.ts'
import { lockName } from '../admission/name-queue.store.ts'
import type { Activity } from './activity.store.ts'

export interface NewActivity {
  /** Id from `newActivityId`. */
  readonly id?: string
  readonly kind: Activity['kind']
  readonly nodeId: string
  readonly projectId: string
  /** Path of the node. */
  readonly path: string
  /** Default: `mainSite`. */
  readonly site?: Site
  readonly pool?: string
  /** Name under which activities queue: node path and action of a change, the workflow of a run. Case-insensitive. */
  readonly name: string
  readonly createdBy: string
  readonly userId: string | null
  /** The project that the creator's rights are cut to (`Actor.scopeProjectId`). */
  readonly scopeProjectId?: string | null
  /** Earliest start (ISO 8601). */
  readonly runAt?: string | null
  /** Whether a step of an admitted run creates it: maintenance does not block it then. */
  readonly underWay?: boolean
  /** Step of a workflow run that creates it; each step creates one activity at most. */
  readonly workflowStepId?: string | null
  /** Settings that admission and the runner use, as resolved now. */
  readonly settings: ActivitySettings
}

export interface ActivitySettings {
  /** allow_parallel.runs_of_same_change, or .runs_of_same_workflow. */
  readonly allowSameName: boolean
  /** allow_parallel.changes. */
  readonly allowParallel: boolean
  readonly podPerStep: boolean
  /** parallel_change_worker_steps. */
  readonly parallelSteps: number
  readonly onRunnerLost: 'error' | 'restart'
  readonly runnerKind: Activity['runner_kind']
  readonly runnerOptions: object
  /** runner.idle_timeout, in seconds. */
  readonly idleSeconds: number
}

/**
 * The id of an activity that is about to be created: callers that know it early send all of its rows in one round trip.
 * Ids do not reflect the order of creation; `number` does.
 */
export const newActivityId = async (tx: Tx): Promise<string> =>
  (await tx.one(sql<{ id: string }>`select sluice_uuid7() as id`))!.id

/**
 * Creates an activity, initializing; it joins the queue of its name. An activity that others of its name need not wait
 * for does not block them.
 */
export async function createActivity(tx: Tx, given: NewActivity): Promise<string> {
  const nameKey = given.name.toLowerCase()
  const { site = mainSite, settings } = given
  // Two statements: one that waited for the lock would still see the earlier state.
  const locked = lockName(tx, { site, nameKey }, settings.allowSameName ? 'shared' : 'alone')
  const inserted = tx.one(sql<{ id: string }>`
    insert into activities (id, kind, node_id, project_id, path, site, pool, name_key, head, under_way, run_at,
                            created_by, user_id, allow_same_name, allow_parallel, pod_per_step, parallel_steps,
                            on_runner_lost, runner_kind, runner_options, idle_seconds, workflow_step_id, scope_project_id)
    values (coalesce(${given.id ?? null}::uuid, sluice_uuid7()), ${given.kind}, ${given.nodeId}, ${given.projectId},
            ${given.path}, ${site}, ${given.pool ?? 'runner'}, ${nameKey},
            ${settings.allowSameName} or not exists (
              select from activities where site = ${site} and name_key = ${nameKey} and not final),
            ${given.underWay ?? false}, ${given.runAt ?? null}, ${given.createdBy}, ${given.userId},
            ${settings.allowSameName}, ${settings.allowParallel},
            ${settings.podPerStep && given.kind === 'change'}, ${settings.parallelSteps},
            ${settings.onRunnerLost}, ${settings.runnerKind}, ${JSON.stringify(settings.runnerOptions)}::jsonb,
            ${settings.idleSeconds}, ${given.workflowStepId ?? null}, ${given.scopeProjectId ?? null}::uuid)
    returning id`)
  const [, row] = await together([locked, inserted])
  return row!.id
}
