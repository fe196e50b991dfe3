import type { Actor } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { ParentRow } from '#platform/jsonapi/resource.ts'
import { dropTasksOf } from '../node-tasks/index.ts'
import { type Blocker, blockerLimit } from '../nodes/index.ts'
import { letTaskRunnerGo } from '../runners/index.ts'
import { isCalled } from '../users/index.ts'

export interface Template {
  readonly id: string
  readonly project_id: string
  readonly path: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  readonly template_type: 'asset' | 'agent'
  readonly git_remote_id: string
  readonly archived: boolean
  readonly disabled: boolean
  readonly row_version: number
}

const columns = sql`
  t.id, t.project_id, t.path, t.code, t.name, t.description, t.template_type, t.git_remote_id, t.archived, t.disabled,
  t.row_version`

/** `{template_id}` of a path is the id or the code. */
export const templateNamed = (idOrCode: string): Sql<boolean> =>
  sql<boolean>`(t.id::text = ${idOrCode} or t.code = ${idOrCode})`

/** The template that path parameters name, for lists that hang under it. */
export const templateByPath = (params: Readonly<Record<string, string>>): Sql<Template & ParentRow> =>
  sql<Template & ParentRow>`
    select ${columns}
      from templates t
      join nodes p on p.id = t.project_id and p.destroyed_at is null
     where p.path = ${`/projects/${params['project_code']}`} and ${templateNamed(params['template_id'] ?? '')}`

/** Locks a template against every other change of it. */
export const lockTemplate = (tx: Tx, params: Readonly<Record<string, string>>): Promise<Template | undefined> =>
  tx.one(sql<Template>`${templateByPath(params)} for no key update of t`)

export const templateByCode = (queries: Queries, projectId: string, code: string): Promise<Template | undefined> =>
  queries.one(sql<Template>`
    select ${columns} from templates t where t.project_id = ${projectId}::uuid and t.code = ${code}`)

/** Whether a code is in use; codes are unique in their project, case-insensitively for A to Z. */
export const isCodeTaken = async (tx: Tx, projectId: string, code: string): Promise<boolean> =>
  (await tx.one(sql`
    select from templates where project_id = ${projectId}::uuid and ${isCalled(sql`code`, code)}`)) !== undefined

/** Nodes that have a version of this template now (`version`: this one), a hundred at most. */
export const nodesUsing = (queries: Queries, templateId: string, versionId?: string): Promise<Blocker[]> =>
  queries.rows(sql<Blocker>`
    select n.id, n.node_type as what, n.path
      from template_version_histories h
      join nodes n on n.id = h.node_id and n.destroyed_at is null
     where h.template_id = ${templateId}::uuid
       and h.active_to is null
       and (${versionId ?? null}::uuid is null or h.template_version_id = ${versionId ?? null}::uuid)
     order by n.path
     limit ${blockerLimit}`)

/** Nodes that ever had a version of it: their history names it. */
export const nodesThatHad = (queries: Queries, templateId: string, versionId?: string): Promise<Blocker[]> =>
  queries.rows(sql<Blocker>`
    select distinct n.id, n.node_type as what, n.path
      from template_version_histories h
      join nodes n on n.id = h.node_id and n.destroyed_at is null
     where h.template_id = ${templateId}::uuid
       and (${versionId ?? null}::uuid is null or h.template_version_id = ${versionId ?? null}::uuid)
     order by n.path
     limit ${blockerLimit}`)

/**
 * Locks versions before they are deleted: waits for running transactions that refer to one of them, so that their
 * references are found afterwards, and blocks later ones.
 */
export const lockVersions = (
  tx: Tx,
  templateId: string,
  versionId?: string,
): Promise<{ id: string; version: string }[]> =>
  tx.rows(sql<{ id: string; version: string }>`
    select id, version
      from template_versions
     where template_id = ${templateId}::uuid
       and (${versionId ?? null}::uuid is null or id = ${versionId ?? null}::uuid)
     order by id
       for update`)

/** Deletes the background tasks of versions that are being deleted: from then on none of them writes anything. */
export async function deleteTasks(tx: Tx, versions: readonly string[]): Promise<void> {
  for (const id of await dropTasksOf(tx, sql`select unnest(${[...versions]}::uuid[])`)) await letTaskRunnerGo(tx, id)
}

/** Deletes the periods of destroyed nodes with versions that are being deleted. */
export async function deleteHistories(tx: Tx, versions: readonly string[]): Promise<void> {
  const histories = sql`
    select h.id
      from template_version_histories h
      join nodes n on n.id = h.node_id and n.destroyed_at is not null
     where h.template_version_id = any(${[...versions]}::uuid[])`
  // Their tasks are kept until their running parts have stopped.
  await tx.count(sql`
    update node_background_tasks set template_version_history_id = null
     where template_version_history_id in (${histories})`)
  await tx.count(sql`delete from template_version_histories where id in (${histories})`)
}

/** @returns undefined if another template of the project has that code */
export const insertTemplate = (
  tx: Tx,
  project: { readonly id: string },
  template: {
    readonly path: string
    readonly code: string
    readonly name: string
    readonly description?: string | null | undefined
    readonly template_type: string
    readonly gitRemoteId: string
  },
  actor: Pick<Actor, 'username' | 'userId'>,
): Promise<{ id: string; created_at: string } | undefined> =>
  tx.one(sql<{ id: string; created_at: string }>`
    insert into templates (project_id, path, code, name, description, template_type, git_remote_id, created_by, user_id)
    values (${project.id}::uuid, ${template.path}, ${template.code}, ${template.name.normalize('NFC')}, ${template.description ?? null},
            ${template.template_type}, ${template.gitRemoteId}::uuid, ${actor.username}, ${actor.userId}::uuid)
        on conflict do nothing
    returning id, created_at`)

/** @returns 0 if nothing differs */
export const updateTemplate = (
  tx: Tx,
  id: string,
  wanted: Pick<Template, 'name' | 'description' | 'archived' | 'disabled' | 'git_remote_id'>,
): Promise<number> =>
  tx.count(sql`
    update templates
       set name = ${wanted.name}, description = ${wanted.description}, archived = ${wanted.archived},
           disabled = ${wanted.disabled}, git_remote_id = ${wanted.git_remote_id}::uuid,
           row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}::uuid
       and (name, description, archived, disabled, git_remote_id) is distinct from
           (${wanted.name}::text, ${wanted.description}::text, ${wanted.archived}::boolean,
            ${wanted.disabled}::boolean, ${wanted.git_remote_id}::uuid)`)

export const deleteTemplate = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from templates where id = ${id}::uuid`)
