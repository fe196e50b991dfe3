import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { makingAad, runAad } from './run.ts'
import type { Making } from './run-tree.ts'

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

/** What the steps of a run make, in the order of its tree; null of those that make nothing. */
export async function insertMakings(
  tx: Tx,
  keyring: Keyring,
  runId: string,
  makings: readonly (Making | null)[],
): Promise<void> {
  const steps = await tx.rows(sql<{ id: string }>`
    select id from steps where activity_id = ${runId}::uuid order by tree_order`)
  const rows = makings.flatMap((making, at) => (making ? [{ ...making, id: steps[at]!.id }] : []))
  if (rows.length === 0) return
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  await tx.count(sql`
    insert into workflow_steps (id, targets, action, template_version, start_time, workflow_code, making)
    select given.id, array(select jsonb_array_elements_text(given.targets)), given.action, given.template_version,
           given.start_time, given.workflow_code, given.making
      from unnest(${column(row => row.id)}::uuid[], ${column(row => JSON.stringify(row.targets))}::jsonb[],
                  ${column(row => row.action)}::text[], ${column(row => row.template_version)}::text[],
                  ${column(row => row.start_time)}::text[], ${column(row => row.workflow)}::text[],
                  ${column(({ id, ...making }) => keyring.seal(JSON.stringify(making), makingAad(id)))}::bytea[])
        as given(id, targets, action, template_version, start_time, workflow_code, making)`)
}

export interface StoredMaking extends Making {
  /** What the same step of the run that this one is a retry of had made. */
  readonly retries: string | null
}

/** What a step is to make. */
export async function findMaking(queries: Queries, keyring: Keyring, stepId: string): Promise<StoredMaking> {
  const row = await queries.one(sql<{ making: Buffer; retries: string | null }>`
    select making, retries from workflow_steps where id = ${stepId}::uuid`)
  if (!row) throw new Error(`step ${stepId} has nothing to make`)
  const making = fromJson(keyring.openText(row.making, makingAad(stepId))) as unknown as Making
  return { ...making, retries: row.retries }
}

export interface StoredRun {
  readonly id: string
  readonly workflow_id: string
  readonly workflow_code: string
  readonly version: number
  readonly name: string
  readonly depth: number
  readonly status: string
  readonly node_id: string
  readonly project_id: string
  readonly path: string
  readonly created_by: string
  readonly user_id: string | null
  readonly row_version: number
}

const columns = sql`
  r.id, r.workflow_id, r.workflow_code, r.version, r.name, r.depth, a.status, a.node_id, a.project_id, a.path, a.created_by,
  a.user_id, a.row_version`

/** Undefined when there is none, or its project was destroyed. */
export const findRun = (queries: Queries, id: string): Promise<StoredRun | undefined> =>
  queries.one(sql<StoredRun>`
    select ${columns}
      from workflow_runs r
      join activities a on a.id = r.id
      join nodes n on n.id = a.node_id and n.destroyed_at is null
     where r.id = ${id}::uuid`)

/** A run and those that it lies beneath, itself first. */
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

/** The row of a retry. Documents are bound to their run and sealed anew. */
export async function copyRun(
  tx: Tx,
  keyring: Keyring,
  run: { from: string; to: string; skipSteps: readonly string[] | null; metadata: object | null; depth: number },
): Promise<void> {
  const from = (await tx.one(sql<{ property_overrides: Buffer; notify: Buffer | null }>`
    select property_overrides, notify from workflow_runs where id = ${run.from}::uuid`))!
  const resealed = (which: Parameters<typeof runAad>[1]) =>
    from[which] && keyring.seal(keyring.openText(from[which], runAad(run.from, which)), runAad(run.to, which))
  await tx.count(sql`
    insert into workflow_runs (id, workflow_id, workflow_version_id, workflow_code, version, name, metadata, skip_steps,
                               property_overrides, notify, depth, retry_of)
    select ${run.to}::uuid, workflow_id, workflow_version_id, workflow_code, version, name,
           coalesce(${run.metadata === null ? null : JSON.stringify(run.metadata)}::jsonb, metadata),
           coalesce(${run.skipSteps === null ? null : [...run.skipSteps]}::text[], skip_steps),
           ${resealed('property_overrides')}, ${resealed('notify')}, ${run.depth}, id
      from workflow_runs
     where id = ${run.from}::uuid`)
}

/** What the steps of a retry make: what the steps that they are copies of were there for, and what came of it. */
export async function copyMakings(tx: Tx, keyring: Keyring, runId: string): Promise<void> {
  const rows = await tx.rows(sql<{ id: string; was: string; making: Buffer; retries: string | null }>`
    select s.id, s.retry_of as was, w.making, case when not s.final then m.id end as retries
      from steps s
      join workflow_steps w on w.id = s.retry_of
      left join activities m on m.workflow_step_id = s.retry_of
     where s.activity_id = ${runId}::uuid`)
  if (rows.length === 0) return
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  await tx.count(sql`
    insert into workflow_steps (id, targets, action, template_version, start_time, workflow_code, making, retries)
    select given.id, w.targets, w.action, w.template_version, w.start_time, w.workflow_code, given.making, given.retries
      from unnest(${column(row => row.id)}::uuid[], ${column(row => row.was)}::uuid[],
                  ${column(({ id, was, making }) => keyring.seal(keyring.openText(making, makingAad(was)), makingAad(id)))}::bytea[],
                  ${column(row => row.retries)}::uuid[]) as given(id, was, making, retries)
      join workflow_steps w on w.id = given.was`)
}

/** The code of a run's workflow by its id, as a part of a statement; null of what is no run. */
export const workflowOf = (id: Sql): Sql<string | null> =>
  sql<string | null>`(select r.workflow_code from workflow_runs r where r.id = ${id})`
