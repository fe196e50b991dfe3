import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Derivation } from './derivation.ts'

/** The pool whose slots deriving takes. */
export const derivationPool = 'actions_refresh'

export interface DerivationTask {
  readonly id: string
  readonly status_code: 'initializing' | 'running' | 'success' | 'error' | 'cancelled'
  readonly project_id: string
  readonly path: string
  readonly site: string
  readonly attempt: number
  readonly fence: number
  /** JSON of `Derivation`. */
  readonly input: string
}

const columns = sql`t.id, t.status_code, t.project_id, t.path, t.site, t.attempt, t.fence, t.input`

/** For whom something is derived: a template version, or a node of which a change is being prepared. */
export interface DerivedFor {
  readonly templateVersionId?: string
  readonly nodeId?: string
  readonly projectId: string
  readonly path: string
  readonly createdBy: string
  readonly userId: string | null
}

/** Asks for a derivation. The same one asked for again, while it is open, is that one. */
export async function askForDerivation(tx: Tx, asked: DerivedFor, derivation: Derivation): Promise<void> {
  const input = JSON.stringify(derivation)
  const [version, node] = [asked.templateVersionId ?? null, asked.nodeId ?? null]
  await tx.count(sql`
    insert into node_background_tasks (task_type, template_version_id, node_id, project_id, path, pool, input,
                                       created_by, user_id)
    select 'GenerateActionsRequest', ${version}::uuid, ${node}::uuid, ${asked.projectId}::uuid, ${asked.path},
           ${derivationPool}, ${input}, ${asked.createdBy}, ${asked.userId}::uuid
     where not exists (select from node_background_tasks t
                        where t.status_code in ('initializing', 'running')
                          and t.template_version_id is not distinct from ${version}::uuid
                          and t.node_id is not distinct from ${node}::uuid
                          and t.input = ${input})`)
  tx.hint('derivations')
}

export async function anyWaiting(queries: Queries): Promise<boolean> {
  const row = await queries.one(sql<{ any: boolean }>`
    select exists (select from node_background_tasks
                    where pool = ${derivationPool} and status_code = 'initializing') as any`)
  return row!.any
}

/** One admitter at a time. Free slots of the pool on this site. */
export async function lockFreeSlots(tx: Tx, site: string): Promise<{ free: number; limit: number }> {
  const row = await tx.one(sql<{ free: number; limit: number }>`
    select configured_limit - used as free, configured_limit as "limit"
      from slot_pools
     where site = ${site} and pool = ${derivationPool}
       for update`)
  return row ?? { free: 0, limit: 0 }
}

/** @param held what keeps a task from beginning, over `node_background_tasks t` */
export const nextWaiting = (tx: Tx, site: string, held: Sql<boolean>): Promise<DerivationTask | undefined> =>
  tx.one(sql<DerivationTask>`
    select ${columns}
      from node_background_tasks t
     where t.site = ${site} and t.pool = ${derivationPool} and t.status_code = 'initializing' and not ${held}
     order by t.request_number
     limit 1
       for no key update skip locked`)

export const findTask = (queries: Queries, id: string): Promise<DerivationTask | undefined> =>
  queries.one(sql<DerivationTask>`select ${columns} from node_background_tasks t where t.id = ${id}::uuid`)

export const lockTask = (tx: Tx, id: string): Promise<DerivationTask | undefined> =>
  tx.one(sql<DerivationTask>`
    select ${columns} from node_background_tasks t where t.id = ${id}::uuid for no key update of t`)

/** The task that a runner works on, while it runs. */
export const taskOfRunner = (queries: Queries, runnerId: string): Promise<DerivationTask | undefined> =>
  queries.one(sql<DerivationTask>`
    select ${columns}
      from runners r
      join node_background_tasks t on t.id = r.task_id
     where r.id = ${runnerId}::uuid and t.status_code = 'running'`)

/** Slot, status and fence change together; the caller holds the pool and has seen a free slot. */
export async function startTask(tx: Tx, task: DerivationTask): Promise<void> {
  await tx.count(sql`
    with counted as (
      update slot_pools
         set used = used + 1, updated_at = sluice_now()
       where site = ${task.site} and pool = ${derivationPool}
      returning site, pool, configured_limit
    ),
    claimed as (
      insert into slot_claims (site, pool, slot, holder_kind, holder_id, node_path)
      select c.site, c.pool,
             (select min(slot)
                from generate_series(1, c.configured_limit) as slot
               where not exists (select from slot_claims taken
                                  where taken.site = c.site and taken.pool = c.pool and taken.slot = slot.slot)),
             'task', ${task.id}::uuid, ${task.path}
        from counted c
    )
    update node_background_tasks
       set status_code = 'running', fence = nextval('fences'), attempt = attempt + 1,
           started_at = sluice_now(), updated_at = sluice_now(), row_version = row_version + 1
     where id = ${task.id}::uuid`)
}

/** It ends, or (as initializing) stands in line again. The slot is the last lock that a transaction takes. */
export async function leaveRunning(
  tx: Tx,
  id: string,
  status: 'initializing' | 'success' | 'error',
  said: { error?: string; output?: string } = {},
): Promise<void> {
  await tx.count(sql`
    update node_background_tasks
       set status_code = ${status}, error_message = ${said.error ?? null}, output = ${said.output ?? null},
           finished_at = case when ${status} = 'initializing' then null else sluice_now() end,
           updated_at = sluice_now(), row_version = row_version + 1
     where id = ${id}::uuid`)
  await releaseSlots(tx, [id])
  tx.hint('derivations')
}

/** Tasks of versions that are being deleted go with them. Answers their ids. */
export async function dropTasksOf(tx: Tx, versions: Sql): Promise<string[]> {
  const dropped = await tx.rows(sql<{ id: string }>`
    delete from node_background_tasks where template_version_id in (${versions}) returning id`)
  const ids = dropped.map(({ id }) => id)
  if (ids.length > 0) await releaseSlots(tx, ids)
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
