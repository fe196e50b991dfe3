import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { worksFor } from './runner.store.ts'
import type { Holder, LiveRunner, ProcessName, RunnerKind, RunnerOptions, WantedRunner } from './runner.ts'
import { begun, comingOrLive, type RunnerStatus } from './runner-status.sql.ts'

type NewRunner = Omit<WantedRunner, 'activityId'> & { activityId: string | null; taskId: string | null }

/**
 * Assigns one of the `ready` spares to an activity or task without a runner, unless another transaction is just taking
 * it. The caller has locked the activity or task, so that it gets no second one meanwhile.
 */
export async function takeSpare(
  tx: Tx,
  ready: readonly string[],
  { activityId, stepId, taskId, site, kind, options }: NewRunner,
): Promise<boolean> {
  if (ready.length === 0) return false
  const taken = await tx.count(sql`
    update runners r
       set activity_id = ${activityId}::uuid, step_id = ${stepId}::uuid, task_id = ${taskId}::uuid
      from (select s.id
              from runners s
             where s.id = any(${[...ready]}::uuid[]) and s.status = 'live' and s.activity_id is null and s.task_id is null
               and s.site = ${site} and s.kind = ${kind} and s.options = ${JSON.stringify(options)}::jsonb
               and not exists (
                     select from runners o
                      where (o.activity_id = ${activityId}::uuid and o.step_id is not distinct from ${stepId}::uuid
                             or o.task_id = ${taskId}::uuid)
                        and o.status in ${comingOrLive})
             order by s.created_at
             limit 1
               for no key update skip locked) s
     where r.id = s.id`)
  if (taken > 0) tx.hint('spares')
  return taken > 0
}

/** Inserts the row of a spare runner that is about to be started on this host. */
export async function insertSpare(
  tx: Tx,
  spare: {
    site: string
    kind: RunnerKind
    starter: ProcessName
    /** `RunnerDriver.folder` */
    folder: string | null
    options: RunnerOptions
  },
): Promise<string> {
  const row = await tx.one(sql<{ id: string }>`
    insert into runners (id, site, kind, options, status, started_at, start_attempts, host, starter_pid, starter_started,
                         folder)
    select made.id, ${spare.site}, ${spare.kind}, ${JSON.stringify(spare.options)}, 'starting', sluice_now(), 1,
           ${spare.starter.host}, ${spare.starter.pid}, ${spare.starter.started}, ${spare.folder} || '/' || made.id
      from (select sluice_uuid7() as id) made
    returning id`)
  return row!.id
}

export type StoredSpare = Holder & {
  id: string
  status: Exclude<RunnerStatus, 'wanted'>
  options: RunnerOptions
}

/** Stored state of runners that were created as spares. */
export const sparesAsStored = async (queries: Queries, ids: readonly string[]): Promise<StoredSpare[]> =>
  ids.length === 0
    ? []
    : queries.rows(sql<StoredSpare>`
    select r.id, ${worksFor('r')}, r.status, r.options from runners r where r.id = any(${[...ids]}::uuid[])`)

/** Spares among these runners of a host that have not ended. */
export async function unendedSpares(queries: Queries, host: string, ids: readonly string[]): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    select id
      from runners
     where id = any(${[...ids]}::uuid[]) and host = ${host}
       and activity_id is null and task_id is null and status in ${begun}`)
  return rows.map(({ id }) => id)
}

/**
 * Selects the spares among these that were given work, as the connection knows them from then on except for the
 * session.
 */
export const takenOf = (queries: Queries, ids: readonly string[]): Promise<Omit<LiveRunner, 'session'>[]> =>
  queries.rows(sql<Omit<LiveRunner, 'session'>>`
    select r.id, ${worksFor('r')}
      from runners r
     where r.id = any(${[...ids]}::uuid[]) and (r.activity_id is not null or r.task_id is not null)`)

/** Rows of spares that ended a day ago and never had work: nothing refers to them. */
export const deleteSpares = (queries: Queries): Promise<number> =>
  queries.count(sql`
    delete from runners
     where status = 'gone' and activity_id is null and task_id is null and gone_at < sluice_now() - interval '1 day'`)

/** Ends those of these spares that have not been assigned, so that none of them can be any more. Returns their ids. */
export async function retireSpares(queries: Queries, ids: readonly string[], reason: string): Promise<string[]> {
  const rows = await queries.rows(sql<{ id: string }>`
    update runners
       set status = 'stopping', gone_reason = ${reason}
     where id = any(${[...ids]}::uuid[]) and activity_id is null and task_id is null and status in ('starting', 'live')
    returning id`)
  return rows.map(({ id }) => id)
}
