import type { Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { WantedRunner } from './runner.ts'
import { comingOrLive } from './runner-status.sql.ts'
import { takeSpare } from './spare.store.ts'

/**
 * Requests a runner, unless the activity, or its step, has one: one of the `ready` spares takes it over at once, or one
 * is started for it. Nothing is sent or started before the transaction has committed.
 */
export async function wantRunner(tx: Tx, wanted: WantedRunner, ready: readonly string[] = []): Promise<void> {
  if (await takeSpare(tx, ready, { ...wanted, taskId: null })) return
  const made = await tx.count(sql`
    insert into runners (activity_id, step_id, site, kind, options)
    values (${wanted.activityId}, ${wanted.stepId}, ${wanted.site}, ${wanted.kind}, ${JSON.stringify(wanted.options)})
        on conflict ${wanted.stepId === null ? ofActivity : ofStep} do nothing`)
  if (made > 0) tx.hint('runners')
}

/** The unique indexes that allow at most one for each. */
const ofActivity = sql`(activity_id) where status in ${comingOrLive} and step_id is null`
const ofStep = sql`(step_id) where step_id is not null and status in ${comingOrLive}`

/** Requests a runner for a background task. */
export async function wantTaskRunner(
  tx: Tx,
  wanted: Omit<WantedRunner, 'activityId' | 'stepId'> & { taskId: string },
  ready: readonly string[] = [],
): Promise<void> {
  if (await takeSpare(tx, ready, { ...wanted, activityId: null, stepId: null })) return
  await tx.count(sql`
    insert into runners (task_id, site, kind, options)
    values (${wanted.taskId}, ${wanted.site}, ${wanted.kind}, ${JSON.stringify(wanted.options)})
        on conflict (task_id) where status in ${comingOrLive} do nothing`)
  tx.hint('runners')
}

/** Requests a runner like the one that is gone, for its task. */
export async function wantAnotherRunner(tx: Tx, goneId: string): Promise<void> {
  await tx.count(sql`
    insert into runners (task_id, site, kind, options)
    select task_id, site, kind, options from runners where id = ${goneId}::uuid
        on conflict (task_id) where status in ${comingOrLive} do nothing`)
  tx.hint('runners')
}

/**
 * Releases the runners of an activity, or of these steps of it, which are no longer needed. One that was not started
 * yet is gone at once; others end when everything is stored.
 */
export const letRunnerGo = (tx: Tx, activityId: string, stepIds?: readonly string[]): Promise<void> =>
  letGo(
    tx,
    stepIds
      ? sql<boolean>`activity_id = ${activityId} and step_id = any(${[...stepIds]}::uuid[])`
      : sql<boolean>`activity_id = ${activityId}`,
  )

export const letTaskRunnerGo = (tx: Tx, taskId: string): Promise<void> => letGo(tx, sql<boolean>`task_id = ${taskId}`)

async function letGo(tx: Tx, whose: Sql<boolean>): Promise<void> {
  const ended = await tx.count(sql`
    update runners
       set status      = case when status = 'wanted' then 'gone' else 'stopping' end,
           gone_at     = case when status = 'wanted' then sluice_now() end,
           gone_reason = 'not needed any more'
     where ${whose} and status in ${comingOrLive}`)
  if (ended > 0) tx.hint('let_go')
}
