import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { storable } from '#platform/stored-text.ts'
import type { News } from '../runners/index.ts'
import { claimingSlot } from '../runners/index.ts'
import type { BackgroundTask, Ending, TaskTypeName } from './background-task.ts'

const columns = sql`
  t.id, t.task_type, t.status_code, t.node_id, t.template_version_id, t.template_version_history_id, t.project_id, t.path,
  t.site, t.pool, t.attempt, t.fence, t.about_node, t.activity_id, t.trigger, t.input, t.cancelled_by, t.created_by, t.user_id,
  t.scope_project_id`

export interface NewTask {
  readonly type: TaskTypeName
  readonly pool: string
  readonly projectId: string
  /** Path on which rights to it are checked. */
  readonly path: string
  readonly nodeId?: string
  readonly templateVersionId?: string
  /** Period of the node's history that it was requested in. */
  readonly historyId?: string
  /** See `BackgroundTask.about_node`. */
  readonly aboutNode?: boolean
  readonly trigger: string
  readonly input?: string
  readonly createdBy: string
  readonly userId: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scopeProjectId?: string | null
}

/**
 * Creates a task and returns its id; undefined if one about the same node is already queued, which has the same effect.
 */
export async function makeTask(tx: Tx, task: NewTask): Promise<string | undefined> {
  const row = await tx.one(sql<{ id: string }>`
    insert into node_background_tasks (task_type, pool, project_id, path, node_id, template_version_id,
                                       template_version_history_id, about_node, trigger, input, created_by, user_id,
                                       scope_project_id)
    values (${task.type}, ${task.pool}, ${task.projectId}::uuid, ${task.path}, ${task.nodeId ?? null}::uuid,
            ${task.templateVersionId ?? null}::uuid, ${task.historyId ?? null}::uuid, ${task.aboutNode ?? false},
            ${task.trigger}, ${task.input ?? null}, ${task.createdBy}, ${task.userId}::uuid,
            ${task.scopeProjectId ?? null}::uuid)
        on conflict (node_id, task_type) where about_node and status_code = 'initializing' do nothing
    returning id`)
  tx.hint('background_tasks')
  return row?.id
}

/** A task in the slot of an admitted activity: it is not queued, and runs from now on. */
export async function makeRunningTask(tx: Tx, activityId: string, task: NewTask): Promise<string> {
  const made = await tx.one(sql<{ id: string }>`
    insert into node_background_tasks (task_type, pool, project_id, path, node_id, activity_id, trigger, input,
                                            created_by, user_id, status_code, fence, attempt, started_at)
    values (${task.type}, ${task.pool}, ${task.projectId}::uuid, ${task.path}, ${task.nodeId ?? null}::uuid,
            ${activityId}::uuid, ${task.trigger}, ${task.input ?? null}, ${task.createdBy}, ${task.userId}::uuid,
            'running', nextval('fences'), 1, sluice_now())
    returning id`)
  return made!.id
}

/** Gives a task a new runner after its runner was lost. */
export async function runAgain(tx: Tx, id: string): Promise<void> {
  await tx.count(sql`
    update node_background_tasks
       set fence = nextval('fences'), attempt = attempt + 1, updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)
}

/** Condition on tasks that run in the slot of an activity. */
const runsFor = (activityId: string) => sql`activity_id = ${activityId}::uuid and status_code = 'running'`

export const anyTaskRunsFor = async (queries: Queries, activityId: string): Promise<boolean> =>
  (await queries.one(sql`select from node_background_tasks where ${runsFor(activityId)}`)) !== undefined

/** Requests the cancel of the task that runs for an activity; false if none runs for it. */
export async function cancelTaskFor(tx: Tx, activityId: string, by: string): Promise<boolean> {
  const cancelled = await tx.count(sql`
    update node_background_tasks
       set cancelled_by = coalesce(cancelled_by, ${by}), updated_at = sluice_now(), row_version = row_version + 1
     where ${runsFor(activityId)}`)
  if (cancelled > 0) tx.hint('cancel')
  return cancelled > 0
}

/** The open task of a node, of one type: the running one, or else the queued one. */
export const openTaskOf = (queries: Queries, nodeId: string, type: TaskTypeName): Promise<BackgroundTask | undefined> =>
  queries.one(sql<BackgroundTask>`
    select ${columns}
      from node_background_tasks t
     where t.node_id = ${nodeId}::uuid and t.task_type = ${type} and t.about_node
       and t.status_code in ('initializing', 'running')
     order by t.request_number
     limit 1`)

/** Pools in which tasks of these types are queued. */
export async function poolsWithWaiting(queries: Queries, types: readonly string[]): Promise<string[]> {
  const rows = await queries.rows(sql<{ pool: string }>`
    select distinct pool
      from node_background_tasks
     where status_code = 'initializing' and task_type = any(${[...types]}::text[])`)
  return rows.map(({ pool }) => pool)
}

/** Free slots of the pool on this site, locked for one admitter at a time. */
export interface FreeSlots {
  /** Id of the pool; undefined: there is none. */
  readonly id: string | undefined
  readonly free: number
  readonly limit: number
}

export async function lockFreeSlots(tx: Tx, site: string, pool: string): Promise<FreeSlots> {
  const row = await tx.one(sql<FreeSlots>`
    select id, configured_limit - used as free, configured_limit as "limit"
      from slot_pools
     where site = ${site} and pool = ${pool}
       for update`)
  return row ?? { id: undefined, free: 0, limit: 0 }
}

/** @param held condition that keeps a task from starting, over `node_background_tasks t` */
export const nextWaiting = (
  tx: Tx,
  among: { site: string; pool: string; types: readonly string[]; held: Sql<boolean> },
): Promise<BackgroundTask | undefined> =>
  tx.one(sql<BackgroundTask>`
    select ${columns}
      from node_background_tasks t
     where t.site = ${among.site} and t.pool = ${among.pool} and t.status_code = 'initializing'
       and t.task_type = any(${[...among.types]}::text[]) and not ${among.held}
     order by t.request_number
     limit 1
       for no key update skip locked`)

export const findTask = (queries: Queries, id: string): Promise<BackgroundTask | undefined> =>
  queries.one(sql<BackgroundTask>`select ${columns} from node_background_tasks t where t.id = ${id}::uuid`)

export const lockTask = (tx: Tx, id: string): Promise<BackgroundTask | undefined> =>
  tx.one(sql<BackgroundTask>`
    select ${columns} from node_background_tasks t where t.id = ${id}::uuid for no key update of t`)

/** Open tasks of a template version itself, locked. */
export const lockTasksOfVersion = (tx: Tx, templateVersionId: string): Promise<BackgroundTask[]> =>
  tx.rows(sql<BackgroundTask>`
    select ${columns}
      from node_background_tasks t
     where t.template_version_id = ${templateVersionId}::uuid and t.status_code in ('initializing', 'running')
     order by t.request_number
       for no key update of t`)

/** The task that a runner works on, while it runs. */
export const taskOfRunner = (queries: Queries, runnerId: string): Promise<BackgroundTask | undefined> =>
  queries.one(sql<BackgroundTask>`
    select ${columns}
      from runners r
      join node_background_tasks t on t.id = r.task_id
     where r.id = ${runnerId}::uuid and t.status_code = 'running'`)

/** Slot, status and fence change together; the caller has locked the pool and seen a free slot. */
export async function startTask(tx: Tx, task: BackgroundTask, input: string | null): Promise<BackgroundTask> {
  return (await tx.one(sql<BackgroundTask>`
    with ${claimingSlot(task, { kind: 'task', id: task.id, path: task.path })}
    update node_background_tasks t
       set status_code = 'running', fence = nextval('fences'), attempt = attempt + 1, input = ${input},
           started_at = sluice_now(), updated_at = sluice_now(), row_version = row_version + 1
     where id = ${task.id}::uuid
    returning ${columns}`))!
}

/**
 * Starts the service's own work on a task in this process, for the first time or again, if the previous process has
 * lost it.
 */
export const takeTask = (tx: Tx, id: string): Promise<BackgroundTask | undefined> =>
  tx.one(sql<BackgroundTask>`
    update node_background_tasks t
       set fence = nextval('fences')
     where id = ${id}::uuid and status_code = 'running'
    returning ${columns}`)

export const noteCancelled = (tx: Tx, id: string, by: string): Promise<number> =>
  tx.count(sql`
    update node_background_tasks
       set cancelled_by = ${by}, updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)

/**
 * Ends a task. The slot is the last lock that a transaction takes. The error may contain a user's own text: if it could
 * not be stored, the task would run forever, and keep its slot.
 */
export async function closeTask(tx: Tx, id: string, ending: Ending): Promise<void> {
  const error = ending.status === 'error' ? storable(ending.error) : null
  await tx.count(sql`
    update node_background_tasks
       set status_code = ${ending.status}, error_message = ${error},
           finished_at = sluice_now(), updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)
  await releaseSlots(tx, [id])
  tx.hint('background_tasks')
}

/**
 * Queues a task again whose runner was lost. False if another one of its node is already queued, which has the same
 * effect.
 */
export async function requeueTask(tx: Tx, task: BackgroundTask): Promise<boolean> {
  const put = () =>
    tx.count(sql`
      update node_background_tasks
         set status_code = 'initializing', updated_at = sluice_now(), row_version = row_version + 1
       where id = ${task.id}::uuid`)
  try {
    await tx.savepoint(put)
  } catch (error) {
    // The unique index finds it, also one that is being inserted concurrently.
    if ((error as { code?: string }).code === '23505') return false
    throw error
  }
  await releaseSlots(tx, [task.id])
  tx.hint('background_tasks')
  return true
}

/** Cancels the tasks of destroyed nodes: queued ones end here, running ones are stopped. */
export async function cancelTasksOf(tx: Tx, nodeIds: readonly string[], by: string): Promise<void> {
  const cancelled = await tx.count(sql`
    update node_background_tasks
       set cancelled_by = coalesce(cancelled_by, ${by}),
           status_code = case status_code when 'initializing' then 'cancelled' else status_code end,
           finished_at = case status_code when 'initializing' then sluice_now() end,
           updated_at = sluice_now(), row_version = row_version + 1
     where node_id = any(${[...nodeIds]}::uuid[]) and status_code in ('initializing', 'running')`)
  if (cancelled > 0) tx.hint('cancel')
}

/** Deletes the tasks of versions that are being deleted. Returns their ids, for their logs. */
export async function dropTasksOf(tx: Tx, versions: Sql): Promise<string[]> {
  const dropped = await tx.rows(sql<{ id: string }>`
    delete from node_background_tasks where template_version_id in (${versions}) returning id`)
  const ids = dropped.map(({ id }) => id)
  if (ids.length === 0) return ids
  await tx.count(sql`delete from log_chunks where step_id = any(${ids}::uuid[])`)
  await releaseSlots(tx, ids)
  return ids
}

async function releaseSlots(tx: Tx, holders: readonly string[]): Promise<void> {
  await tx.count(sql`
    with freed as (
      delete from slot_claims where holder_id = any(${[...holders]}::uuid[]) returning site, pool
    )
    update slot_pools p
       set used = p.used - f.n, updated_at = sluice_now()
      from (select site, pool, count(*) as n from freed group by site, pool) f
     where p.site = f.site and p.pool = f.pool`)
}

/** The template version that a node has, as its open row of history, locked. */
export const lockVersionOfNode = (tx: Tx, nodeId: string): Promise<{ id: string } | undefined> =>
  tx.one(sql<{ id: string }>`
    select id from template_version_histories
     where node_id = ${nodeId}::uuid and active_to is null
       for no key update`)

export const lockTaskOfNode = (
  tx: Tx,
  nodeId: string,
  id: string,
): Promise<{ id: string; rowVersion: number } | undefined> =>
  tx.one(sql<{ id: string; rowVersion: number }>`
    select id, row_version as "rowVersion"
      from node_background_tasks
     where id::text = ${id} and node_id = ${nodeId}::uuid
       for no key update`)

/** Runners whose task was cancelled. */
export const newsOfTasks = (queries: Queries, runnerIds: readonly string[]): Promise<News[]> =>
  queries.rows(sql<News>`
    select r.id as "runnerId", false as queued,
           json_build_array(json_build_object('stepId', t.id, 'attempt', t.attempt, 'fence', t.fence,
                                              'reason', 'cancelled by ' || t.cancelled_by)) as cancel
      from runners r
      join node_background_tasks t on t.id = r.task_id
     where r.id = any(${[...runnerIds]}::uuid[]) and t.status_code = 'running' and t.cancelled_by is not null`)
