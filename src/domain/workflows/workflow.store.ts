import type { ParsedWorkflow } from '#authoring/workflows/read-workflow.ts'
import type { WrittenStep } from '#authoring/workflows/workflow-tree.ts'
import { fromJson } from '#json/from-json.ts'
import type { Actor } from '#platform/actor.ts'
import type { Keyring, SealedTable } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { ParentRow } from '#platform/jsonapi/resource.ts'
import { type Blocker, blockerLimit } from '../nodes/index.ts'
import { isCalled } from '../users/index.ts'

export interface StoredWorkflow {
  readonly id: string
  readonly project_id: string
  /** Path on which rights are checked: `/projects/bank/workflows/release`. */
  readonly path: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly archived: boolean
  readonly latest_version: number
  readonly latest_published_version: number | null
  readonly ever_run: boolean
  readonly row_version: number
}

const columns = sql`
  w.id, w.project_id, w.path, w.code, w.name, w.description, w.archived, w.latest_version, w.latest_published_version,
  w.ever_run, w.row_version`

type Params = Readonly<Record<string, string>>

/** A path contains its code, or its id, whose form no code has. */
export const workflowNamed = (codeOrId: string): Sql<boolean> =>
  sql<boolean>`(w.code = ${codeOrId} or w.id::text = ${codeOrId})`

/** Whether a code is in use; codes are unique in their project, case-insensitively for A to Z. */
export const isCodeTaken = async (tx: Tx, projectId: string, code: string): Promise<boolean> =>
  (await tx.one(sql`
    select from workflows where project_id = ${projectId}::uuid and ${isCalled(sql`code`, code)}`)) !== undefined

/** The workflow that path parameters name, for lists that hang under it. */
export const workflowByPath = (params: Params): Sql<StoredWorkflow & ParentRow> =>
  sql<StoredWorkflow & ParentRow>`
    select ${columns}
      from workflows w
      join nodes p on p.id = w.project_id and p.destroyed_at is null
     where p.path = ${`/projects/${params['project_code']}`} and ${workflowNamed(params['workflow_code'] ?? '')}`

/** Locks a workflow against every other change of it and of its versions. */
export const lockWorkflow = (tx: Tx, params: Params): Promise<StoredWorkflow | undefined> =>
  tx.one(sql<StoredWorkflow>`${workflowByPath(params)} for no key update of w`)

export interface StoredVersion {
  readonly id: string
  readonly version: number
  readonly published: boolean
  readonly source: string
  readonly parsed: ParsedWorkflow
  readonly row_version: number
}

interface VersionRow {
  readonly id: string
  readonly version: number
  readonly published: boolean
  readonly source_yaml: Buffer
  readonly parsed: Buffer
  readonly row_version: number
}

export async function findVersion(
  keyring: Keyring,
  queries: Queries,
  workflowId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const row = await queries.one(sql<VersionRow>`
    select id, version, published_at is not null as published, source_yaml, parsed, row_version
      from workflow_versions
     where workflow_id = ${workflowId}::uuid and version = ${version}`)
  return row && { ...row, source: openSource(keyring, row), parsed: openParsed(keyring, row) }
}

const aad = (id: string, column: 'source_yaml' | 'parsed'): string => `workflow_versions:${id}:${column}`

export const sealedWorkflows: SealedTable = {
  table: 'workflow_versions',
  key: { id: 'uuid' },
  columns: { source_yaml: row => aad(row['id'], 'source_yaml'), parsed: row => aad(row['id'], 'parsed') },
}

export const openSource = (keyring: Keyring, row: { id: string; source_yaml: Buffer }): string =>
  keyring.openText(row.source_yaml, aad(row.id, 'source_yaml'))

export const openParsed = (keyring: Keyring, row: { id: string; parsed: Buffer }): ParsedWorkflow =>
  fromJson(keyring.openText(row.parsed, aad(row.id, 'parsed'))) as ParsedWorkflow

/** Stored fields of a version. */
export interface Written {
  readonly source: string
  readonly parsed: ParsedWorkflow
}

const sealed = async (keyring: Keyring, id: string, { source, parsed }: Written) => ({
  source: await keyring.sealText(source, aad(id, 'source_yaml')),
  parsed: await keyring.sealText(JSON.stringify(parsed), aad(id, 'parsed')),
})

/** A new draft, the newest version of its workflow, which is locked. */
export async function insertDraft(
  keyring: Keyring,
  tx: Tx,
  workflow: Pick<StoredWorkflow, 'id' | 'project_id' | 'path'>,
  given: Written & { readonly version: number },
  by: { readonly username: string; readonly userId: string | null },
): Promise<string> {
  const { id } = (await tx.one(sql<{ id: string }>`select sluice_uuid7() as id`))!
  const { source, parsed } = await sealed(keyring, id, given)
  await tx.count(sql`
    with newest as (
      update workflows
         set latest_version = ${given.version}, row_version = row_version + 1, updated_at = sluice_now()
       where id = ${workflow.id}::uuid and latest_version < ${given.version})
    insert into workflow_versions (id, workflow_id, project_id, path, version, source_yaml, parsed, created_by, user_id)
    values (${id}::uuid, ${workflow.id}::uuid, ${workflow.project_id}::uuid, ${workflow.path}, ${given.version}, ${source},
            ${parsed}, ${by.username}, ${by.userId}::uuid)`)
  return id
}

export async function writeDraft(keyring: Keyring, tx: Tx, id: string, given: Written): Promise<void> {
  const { source, parsed } = await sealed(keyring, id, given)
  await tx.count(sql`
    update workflow_versions
       set source_yaml = ${source}, parsed = ${parsed}, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid and published_at is null`)
}

/** Another workflow that a version runs; without a version the latest published. */
export interface Nested {
  readonly code: string
  readonly version?: number
}

/**
 * @param by its `scopeProjectId` is stored with the version: runs of a version that a step published have no more
 *   rights than its token had
 */
export const publish = (
  tx: Tx,
  workflowId: string,
  versionId: string,
  nested: readonly Nested[],
  by: Pick<Actor, 'scopeProjectId'>,
): Promise<number> =>
  tx.count(sql`
    with published as (
      update workflow_versions
         set published_at = sluice_now(), nested = ${JSON.stringify(nested)}::jsonb,
             scope_project_id = ${by.scopeProjectId ?? null}::uuid, row_version = row_version + 1,
             updated_at = sluice_now()
       where id = ${versionId}::uuid and published_at is null
      returning version)
    update workflows
       set latest_published_version = greatest(latest_published_version, published.version),
           row_version = row_version + 1, updated_at = sluice_now()
      from published
     where id = ${workflowId}::uuid`)

/** Fields of a published version that a run needs. */
export interface RunnableVersion {
  readonly workflowId: string
  readonly versionId: string
  readonly version: number
  readonly code: string
  /** Path of the right to run it: `/projects/bank/workflows/release`. */
  readonly path: string
  readonly name: string
  /** Whether it takes no new run. */
  readonly archived: boolean
  /** Project limit of its publisher; see `Actor.scopeProjectId`. */
  readonly scopeProjectId: string | null
  readonly source: string
  /** Steps as written: `resolveWorkflow` inserts properties. */
  readonly steps: readonly WrittenStep[]
}

/**
 * A published version, the latest without `version`; until the transaction ends its workflow is not deleted. Creating a
 * run of it marks it (`markRun`).
 */
export async function findRunnableVersion(
  keyring: Keyring,
  tx: Queries,
  projectId: string,
  code: string,
  version?: number,
): Promise<RunnableVersion | undefined> {
  const row = await tx.one(sql<VersionRow & Omit<RunnableVersion, 'source' | 'steps'>>`
    select w.id as "workflowId", v.id as "versionId", v.version, w.code, w.path, w.name, w.archived,
           v.scope_project_id as "scopeProjectId", v.id, v.source_yaml, v.parsed
      from workflows w
      join workflow_versions v on v.workflow_id = w.id and v.version = coalesce(${version ?? null}::int, w.latest_published_version)
     where w.project_id = ${projectId}::uuid and w.code = ${code} and v.published_at is not null
       for key share of w`)
  if (!row) return undefined
  const { id: _, source_yaml, parsed, ...runnable } = row
  const read = openParsed(keyring, row)
  if ('errors' in read) throw new Error(`Version ${row.version} of ${row.path} was published with faults.`)
  return { ...runnable, source: openSource(keyring, row), steps: read.steps }
}

/** Whether the project has a workflow of this code, published or not. */
export async function hasWorkflow(queries: Queries, projectId: string, code: string): Promise<boolean> {
  const row = await queries.one(sql`select from workflows where project_id = ${projectId}::uuid and code = ${code}`)
  return row !== undefined
}

/** Marks a workflow as run: from now on it is archived instead of deleted. */
export const markRun = (tx: Tx, workflowId: string): Promise<number> =>
  tx.count(sql`update workflows set ever_run = true where id = ${workflowId}::uuid and not ever_run`)

/** Unarchived workflows of the project whose latest published version runs this one. */
export const workflowsThatRun = (queries: Queries, projectId: string, code: string): Promise<Blocker[]> =>
  queries.rows(sql<Blocker>`
    select w.id, 'workflow' as what, w.path
      from workflows w
      join workflow_versions v on v.workflow_id = w.id and v.version = w.latest_published_version
     where w.project_id = ${projectId}::uuid and not w.archived and w.code <> ${code}
       and v.nested @> ${JSON.stringify([{ code }])}::jsonb
     order by w.path
     limit ${blockerLimit}`)

/** Fields of a workflow for checking workflows that run it. */
export interface PublishedWorkflow {
  readonly code: string
  readonly path: string
  readonly archived: boolean
  /** The latest published version. */
  readonly latest: number | null
  /** All published versions. */
  readonly published: readonly number[]
}

/** Workflows of a project by their codes. With `held` none can be archived or deleted until the transaction ends. */
export const publishedWorkflows = (
  queries: Queries,
  projectId: string,
  codes: readonly string[],
  { held }: { readonly held: boolean },
): Promise<PublishedWorkflow[]> =>
  queries.rows(sql<PublishedWorkflow>`
    select w.code, w.path, w.archived, w.latest_published_version as latest,
           array(select v.version from workflow_versions v where v.workflow_id = w.id and v.published_at is not null) as published
      from workflows w
     where w.project_id = ${projectId}::uuid and w.code = any(${[...codes]}::text[])
           ${held ? sql`for key share of w` : sql``}`)

/** Workflows that published versions run: of a version, or of the latest one; `at` is the index in `asked`. */
export const nestedOfVersions = (
  queries: Queries,
  projectId: string,
  asked: readonly Nested[],
): Promise<{ at: number; nested: Nested[] }[]> =>
  queries.rows(sql<{ at: number; nested: Nested[] }>`
    select asked.at::int - 1 as at, v.nested
      from unnest(${asked.map(({ code }) => code)}::text[], ${asked.map(({ version }) => version ?? null)}::int[])
           with ordinality as asked (code, version, at)
      join workflows w on w.project_id = ${projectId}::uuid and w.code = asked.code
      join workflow_versions v on v.workflow_id = w.id and v.version = coalesce(asked.version, w.latest_published_version)
     where v.published_at is not null`)

interface WorkflowContent {
  readonly name: string
  readonly description: string | null
}

/** @returns undefined if another workflow of the project has that code */
export const insertWorkflow = (
  tx: Tx,
  project: { readonly id: string; readonly path: string },
  { code, name, description }: WorkflowContent & { readonly code: string },
  actor: Pick<Actor, 'userId' | 'username'>,
): Promise<Pick<StoredWorkflow, 'id' | 'project_id' | 'path' | 'code' | 'name'> | undefined> =>
  tx.one(sql<StoredWorkflow>`
    insert into workflows (project_id, path, code, name, description, created_by, user_id)
    values (${project.id}::uuid, ${`${project.path}/workflows/${code}`}, ${code}, ${name}, ${description},
            ${actor.username}, ${actor.userId}::uuid)
        on conflict do nothing
    returning id, project_id, path, code, name`)

/**
 * @param versions whether one of its versions was changed: then the workflow counts as changed too
 * @returns whether anything differs from what was stored
 */
export const updateWorkflow = async (
  tx: Tx,
  id: string,
  { name, description, archived }: WorkflowContent & { readonly archived: boolean },
  versions: boolean,
): Promise<boolean> =>
  (await tx.count(sql`
    update workflows
       set name = ${name}, description = ${description}, archived = ${archived},
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid
       and (${versions} or (name, description, archived) is distinct from
            (${name}::text, ${description}::text, ${archived}::boolean))`)) > 0

/** @returns whether it has ever been run: then it is archived, otherwise deleted */
export async function archiveOrDelete(tx: Tx, id: string): Promise<boolean> {
  const { ever_run } = (await tx.one(sql<{ ever_run: boolean }>`
    select ever_run from workflows where id = ${id}::uuid`))!
  await tx.count(
    ever_run
      ? sql`update workflows set archived = true, row_version = row_version + 1, updated_at = sluice_now()
             where id = ${id}::uuid`
      : sql`delete from workflows where id = ${id}::uuid`,
  )
  return ever_run
}

/** Locks a workflow also against transactions that are about to run it or to refer to it. */
export const lockAgainstUse = (tx: Tx, id: string): Promise<unknown> =>
  tx.rows(sql`select from workflows where id = ${id}::uuid for update`)
