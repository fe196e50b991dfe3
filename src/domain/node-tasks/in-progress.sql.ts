import { type Sql, sql } from '#platform/db/sql.ts'
import { isSuperuser } from '../access/index.ts'
import { type MaintenanceMode, modeInForce } from '../settings/index.ts'

/**
 * Background tasks counted by the drain, as rows of `t`: running ones, and queued ones that maintenance does not block.
 * A task in the slot of a change is counted with the change. The mode is read by the statement itself, so that the
 * count is consistent.
 */
const inProgress = sql`
  from node_background_tasks t
 where t.status_code = 'running' and t.activity_id is null
    or t.status_code = 'initializing'
       and (${modeInForce} = 'disabled'
            or ${modeInForce} = 'superuser_override' and t.scope_project_id is null
                and ${isSuperuser(sql`t.user_id`)})`

/** Number of tasks in progress, in one row: {kind, count}. */
export const tasksInProgress = sql<{ kind: string; count: number }>`
  select 'node_background_task' as kind, count(*) as count ${inProgress}`

/**
 * Oldest tasks in progress: {kind, id, path, status, since, created_by, waits}; `waits` is {pool} as JSON for a queued
 * one.
 *
 * @param most maximum number
 */
export const oldestTasksInProgress = (most: number): Sql => sql`
  select 'node_background_task' as kind, t.id, t.path, t.status_code as status,
         coalesce(case t.status_code when 'running' then t.started_at end, t.created_at) as since, t.created_by,
         json_build_object('pool', case t.status_code when 'initializing' then t.pool end) as waits, t.task_type as name
         ${inProgress}
   order by since, t.id
   limit ${most}`

/** Rows {status, count} of unfinished tasks. */
export const unfinishedTasks = sql<{ status: string; count: number }>`
  select t.status_code as status, count(*) as count
    from node_background_tasks t
   where t.status_code in ('initializing', 'running')
   group by 1`

/** Number of tasks queued for a slot of a pool. */
export const waitingTasksOf = (site: Sql, pool: Sql): Sql<number> => sql<number>`
  (select count(*) from node_background_tasks t
    where t.site = ${site} and t.pool = ${pool} and t.status_code = 'initializing')`

/**
 * Condition that keeps tasks from starting, over `node_background_tasks t`: the current rights of the creator count. A
 * task created with a step's token has no superuser rights.
 */
export function heldTasks(mode: MaintenanceMode): Sql<boolean> {
  if (mode === 'disabled') return sql<boolean>`false`
  if (mode === 'enabled') return sql<boolean>`true`
  return sql<boolean>`(t.user_id is null or t.scope_project_id is not null or not ${isSuperuser(sql`t.user_id`)})`
}
