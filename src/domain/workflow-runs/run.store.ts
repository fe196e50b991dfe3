import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { runAad } from './run.ts'

export interface NewRunRow {
  readonly id: string
  readonly workflowId: string
  readonly versionId: string
  readonly code: string
  readonly version: number
  readonly name: string
  readonly metadata: object
  readonly skipSteps: readonly string[]
  readonly propertyOverrides: JsonObject
  readonly notify: object | null
  readonly depth: number
  readonly scheduledActivityId: string | null
}

export async function insertRun(tx: Tx, keyring: Keyring, run: NewRunRow): Promise<void> {
  const sealed = (document: object, which: Parameters<typeof runAad>[1]) =>
    keyring.seal(JSON.stringify(document), runAad(run.id, which))
  await tx.count(sql`
    insert into workflow_runs (id, workflow_id, workflow_version_id, workflow_code, version, name, metadata, skip_steps,
                               property_overrides, notify, depth, scheduled_activity_id)
    values (${run.id}, ${run.workflowId}, ${run.versionId}, ${run.code}, ${run.version}, ${run.name},
            ${JSON.stringify(run.metadata)}::jsonb, ${[...run.skipSteps]},
            ${sealed(run.propertyOverrides, 'property_overrides')},
            ${run.notify === null ? null : sealed(run.notify, 'notify')}, ${run.depth}, ${run.scheduledActivityId})`)
}

export interface StoredRun {
  readonly id: string
  readonly workflow_id: string
  readonly workflow_code: string
  readonly version: number
  readonly name: string
  readonly skip_steps: readonly string[]
  readonly property_overrides: Buffer
  readonly depth: number
  readonly status: string
  readonly node_id: string
  readonly project_id: string
  readonly path: string
  readonly created_by: string
  readonly user_id: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scope_project_id: string | null
  readonly row_version: number
}

const columns = sql`
  r.id, r.workflow_id, r.workflow_code, r.version, r.name, r.skip_steps, r.property_overrides, r.depth, a.status, a.node_id,
  a.project_id, a.path, a.created_by, a.user_id, a.scope_project_id, a.row_version`

export const overridesOf = (keyring: Keyring, run: Pick<StoredRun, 'id' | 'property_overrides'>): JsonObject =>
  fromJson(keyring.openText(run.property_overrides, runAad(run.id, 'property_overrides')))

/** Run of this id. Undefined when there is none, or its project was destroyed. */
export const findRun = (queries: Queries, id: string): Promise<StoredRun | undefined> =>
  queries.one(sql<StoredRun>`
    select ${columns}
      from workflow_runs r
      join activities a on a.id = r.id
      join nodes n on n.id = a.node_id and n.destroyed_at is null
     where r.id = ${id}::uuid`)

/** A run and its ancestors, itself first. */
export const findLineOfRuns = (queries: Queries, id: string): Promise<{ workflow_id: string; code: string }[]> =>
  queries.rows(sql<{ workflow_id: string; code: string }>`
    with recursive up as (
      select r.workflow_id, r.workflow_code, a.workflow_step_id, 0 as above
        from workflow_runs r join activities a on a.id = r.id
       where r.id = ${id}::uuid
      union all
      select r.workflow_id, r.workflow_code, a.workflow_step_id, up.above + 1
        from up
        join steps s on s.id = up.workflow_step_id
        join workflow_runs r on r.id = s.activity_id
        join activities a on a.id = r.id
    )
    select workflow_id, workflow_code as code from up order by above`)

export interface RetriedRun {
  readonly from: string
  readonly to: string
  /** The published version that it runs. */
  readonly version: { readonly versionId: string; readonly version: number; readonly name: string }
  readonly propertyOverrides: JsonObject
  /** null: those of the earlier run. */
  readonly skipSteps: readonly string[] | null
  readonly metadata: object | null
  readonly depth: number
}

/** Copies the row of a run for a retry. Documents are bound to their run and encrypted again. */
export async function copyRun(tx: Tx, keyring: Keyring, run: RetriedRun): Promise<void> {
  const { notify } = (await tx.one(sql<{ notify: Buffer | null }>`
    select notify from workflow_runs where id = ${run.from}::uuid`))!
  const sealed = (text: string, which: Parameters<typeof runAad>[1]) => keyring.seal(text, runAad(run.to, which))
  await tx.count(sql`
    insert into workflow_runs (id, workflow_id, workflow_version_id, workflow_code, version, name, metadata, skip_steps,
                               property_overrides, notify, depth, retry_of)
    select ${run.to}::uuid, workflow_id, ${run.version.versionId}::uuid, workflow_code, ${run.version.version},
           ${run.version.name},
           coalesce(${run.metadata === null ? null : JSON.stringify(run.metadata)}::jsonb, metadata),
           coalesce(${run.skipSteps === null ? null : [...run.skipSteps]}::text[], skip_steps),
           ${sealed(JSON.stringify(run.propertyOverrides), 'property_overrides')},
           ${notify && sealed(keyring.openText(notify, runAad(run.from, 'notify')), 'notify')}, ${run.depth}, id
      from workflow_runs
     where id = ${run.from}::uuid`)
}

export const isRetry = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.one(sql<{ is_retry: boolean }>`
    select retry_of is not null as is_retry from workflow_runs where id = ${id}::uuid`))!.is_retry

/** A retry of a run that is not finished. */
export const unfinishedRetry = (
  queries: Queries,
  id: string,
  passedBy: Sql = sql`false`,
): Promise<{ id: string } | undefined> =>
  queries.one(sql<{ id: string }>`
    select r.id from workflow_runs r join activities x on x.id = r.id
     where r.retry_of = ${id}::uuid and not x.final and not ${passedBy}
     limit 1`)

/** Unfinished child of a run's steps, whatever the state of the run. */
export const unfinishedChild = (queries: Queries, id: string): Promise<{ id: string; kind: string } | undefined> =>
  queries.one(sql<{ id: string; kind: string }>`
    select m.id, m.kind from steps s join activities m on m.workflow_step_id = s.id
     where s.activity_id = ${id}::uuid and not m.final
     limit 1`)

export async function detachRetries(tx: Tx, id: string): Promise<void> {
  await tx.count(sql`update workflow_runs set retry_of = null where retry_of = ${id}::uuid`)
}

/** The code of a run's workflow by its id, as a part of a statement; null for other ids. */
export const workflowOf = (id: Sql): Sql<string | null> =>
  sql<string | null>`(select r.workflow_code from workflow_runs r where r.id = ${id})`

/** Condition on `activities a`: neither an unfinished retry nor an unfinished child needs it. */
export const isNeededByNoRun = sql<boolean>`
  not exists (select from workflow_runs retry join activities retrying on retrying.id = retry.id
               where retry.retry_of = a.id and not retrying.final)
  and not exists (select from steps maker join activities made on made.workflow_step_id = maker.id
                   where maker.activity_id = a.id and not made.final)`

/** The name of the action that a change runs, or of the workflow of a run. */
export async function nameOfActivity(tx: Tx, id: string): Promise<string> {
  const { name } = (await tx.one(sql<{ name: string }>`
    select coalesce(c.action, r.workflow_code) as name
      from activities a
      left join changes c on c.id = a.id
      left join workflow_runs r on r.id = a.id
     where a.id = ${id}::uuid`))!
  return name
}

/** Whether an unfinished run is paused, and by whom. */
export const pauseOf = (tx: Tx, id: string): Promise<{ paused: boolean; by: string | null } | undefined> =>
  tx.one(sql<{ paused: boolean; by: string | null }>`
    select pause_state <> 'none' as paused, paused_by as by from activities where id = ${id}::uuid and not final`)
