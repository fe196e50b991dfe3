import type { Context } from '#platform/commands/command.ts'
import { inBatches } from '#platform/db/batches.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { type Blocker, blockerLimit } from '../nodes/index.ts'

/** Schedules that block archiving a node: those with a next due time. */
export const schedulesOn = (ids: readonly string[]): Sql<Blocker> => sql<Blocker>`
  select id, kind as what, path
    from scheduled_activities
   where node_id = any(${[...ids]}::uuid[]) and enabled and next_run_at is not null
   order by id
   limit ${blockerLimit}`

/** Schedules that block archiving a workflow: those that will run it. */
export const schedulesOfWorkflows = (ids: readonly string[]): Sql<Blocker> => sql<Blocker>`
  select s.id, s.kind as what, s.path
    from workflows w
    join scheduled_activities s on s.node_id = w.project_id and s.workflow_code = w.code
   where w.id = any(${[...ids]}::uuid[]) and s.enabled and s.next_run_at is not null
   order by s.id
   limit ${blockerLimit}`

export async function disableOnDestroy({ tx }: Context, ids: readonly string[]): Promise<void> {
  await tx.count(sql`
    update scheduled_activities
       set enabled = false, row_version = row_version + 1, updated_at = sluice_now()
     where node_id = any(${[...ids]}::uuid[]) and enabled`)
}

/** Deletes the schedules of destroyed nodes: due times first, because one schedule may have a hundred thousand. */
export async function deleteSchedulesOfNodes(
  { database, stopping }: Runtime,
  nodes: readonly string[],
): Promise<string[]> {
  const ofNodes = sql`select id from scheduled_activities where node_id = any(${[...nodes]}::uuid[])`
  await inBatches(stopping, most =>
    database.count(sql`
      delete from schedule_occurrences
       where (schedule_id, due_at) in (
             select schedule_id, due_at from schedule_occurrences where schedule_id in (${ofNodes}) limit ${most})`),
  )
  await inBatches(stopping, most =>
    database.count(sql`delete from scheduled_activities where id in (${ofNodes} limit ${most})`),
  )
  return []
}
