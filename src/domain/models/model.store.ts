import { createHash } from 'node:crypto'
import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Keyring, SealedTable } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { LogLine } from './rendering.ts'

/**
 * Inputs that decide whether a model is still valid: the commit of its file, and the properties that it was rendered
 * from.
 */
export interface ModelInput {
  readonly gitRemoteId: string
  readonly commit: string
  /** `propertiesSha` of the converged properties. */
  readonly propertiesSha: Buffer
}

export interface NewModel extends ModelInput {
  readonly nodeId: string
  readonly projectId: string
  readonly historyId: string
  /** Document of the model, as JSON. */
  readonly data: string
  readonly actions: ActionCatalogue
  readonly logs: readonly LogLine[]
  readonly createdBy: string
  readonly userId: string | null
}

/**
 * Keyed hash of properties, with the installation's key, so that a guess at the properties cannot be checked against
 * it.
 */
export const propertiesSha = (keyring: Keyring, properties: JsonObject): Buffer =>
  keyring.mac('properties of a model', JSON.stringify(properties))

export type SealedColumn = 'data' | 'actions' | 'render_logs'

/** Associated data of an encrypted column, which binds its bytes to their model and column. */
const columnAad = (id: string, column: SealedColumn): string => `models:${id}:${column}`

export const sealedModels: SealedTable = {
  table: 'models',
  key: { id: 'uuid' },
  columns: {
    data: ({ id }) => columnAad(id, 'data'),
    actions: ({ id }) => columnAad(id, 'actions'),
    render_logs: ({ id }) => columnAad(id, 'render_logs'),
  },
}

export const openColumn = (keyring: Keyring, sealed: Uint8Array, id: string, column: SealedColumn): string =>
  keyring.openText(sealed, columnAad(id, column))

export async function insertModel(tx: Tx, keyring: Keyring, model: NewModel): Promise<string> {
  const { id } = (await tx.one(sql<{ id: string }>`select sluice_uuid7() as id`))!
  const seal = (text: string, column: SealedColumn) => keyring.seal(text, columnAad(id, column))
  await tx.count(sql`
    insert into models (id, node_id, project_id, template_version_history_id, git_remote_id, commit_sha, properties_sha,
                        data, sha256, actions, render_logs, created_by, user_id)
    values (${id}::uuid, ${model.nodeId}::uuid, ${model.projectId}::uuid, ${model.historyId}::uuid,
            ${model.gitRemoteId}::uuid, ${model.commit}, ${model.propertiesSha}, ${seal(model.data, 'data')},
            ${createHash('sha256').update(model.data).digest('hex')},
            ${seal(JSON.stringify(model.actions), 'actions')}, ${seal(JSON.stringify(model.logs), 'render_logs')},
            ${model.createdBy}, ${model.userId}::uuid)`)
  return id
}

/** Summary of an asset's models that needs no decryption. */
export interface ModelsOfNode {
  /** The commit of the newest one; null: there is none. */
  readonly newest: { readonly gitRemoteId: string; readonly commit: string } | null
  /** Whether generating failed after the newest was stored. */
  readonly failed: boolean
  /** Whether there are models of this commit. */
  readonly ofCommit: boolean
}

export async function modelsOfNode(
  queries: Queries,
  nodeId: string,
  at: { gitRemoteId: string; commit: string },
): Promise<ModelsOfNode> {
  const row = (await queries.one(sql<{
    git_remote_id: string | null
    commit_sha: string | null
    failed: boolean
    of_commit: boolean
  }>`
    select newest.git_remote_id, newest.commit_sha,
           coalesce(task.status_code = 'error' and (newest.created_at is null or task.finished_at > newest.created_at),
                    false) as failed,
           exists (select from models m
                    where m.node_id = ${nodeId}::uuid and m.git_remote_id = ${at.gitRemoteId}::uuid
                      and m.commit_sha = ${at.commit}) as of_commit
      from (select 1) one
      left join lateral (select git_remote_id, commit_sha, created_at from models
                          where node_id = ${nodeId}::uuid order by created_at desc, id desc limit 1) newest on true
      left join lateral (select status_code, finished_at from node_background_tasks
                          where node_id = ${nodeId}::uuid and task_type = 'GenerateModelTask'
                            and status_code in ('success', 'error')
                          order by request_number desc limit 1) task on true`))!
  const { git_remote_id, commit_sha, failed, of_commit: ofCommit } = row
  return {
    newest: git_remote_id === null ? null : { gitRemoteId: git_remote_id, commit: commit_sha! },
    failed,
    ofCommit,
  }
}

export interface StoredModel {
  readonly id: string
  readonly data: Buffer
  readonly actions: Buffer
}

/** Newest model that was rendered from exactly these inputs. */
export const modelFor = (queries: Queries, nodeId: string, input: ModelInput): Promise<StoredModel | undefined> =>
  queries.one(sql<StoredModel>`
    select id, data, actions
      from models
     where node_id = ${nodeId}::uuid and git_remote_id = ${input.gitRemoteId}::uuid and commit_sha = ${input.commit}
       and properties_sha = ${input.propertiesSha}
     order by created_at desc, id desc
     limit 1`)

/** Newest model that was rendered from a commit. */
export const lastModelOf = (
  queries: Queries,
  nodeId: string,
  at: Pick<ModelInput, 'gitRemoteId' | 'commit'>,
): Promise<StoredModel | undefined> =>
  queries.one(sql<StoredModel>`
    select id, data, actions
      from models
     where node_id = ${nodeId}::uuid and git_remote_id = ${at.gitRemoteId}::uuid and commit_sha = ${at.commit}
     order by created_at desc, id desc
     limit 1`)

/** The latest period in which the asset had this version of its template. */
export async function historyOf(queries: Queries, nodeId: string, templateVersionId: string): Promise<string> {
  const row = await queries.one(sql<{ id: string }>`
    select id
      from template_version_histories
     where node_id = ${nodeId}::uuid and template_version_id = ${templateVersionId}::uuid
     order by active_from desc
     limit 1`)
  return row!.id
}

/** Deletes models of these assets, at most `most`. */
export const deleteModelsOf = (queries: Queries, nodes: readonly string[], most: number): Promise<number> =>
  queries.count(sql`
    delete from models
     where id in (select id from models where node_id = any(${[...nodes]}::uuid[]) limit ${most})`)

/** Deletes all models created while an asset had one of these versions of its template. */
export const deleteModelsOfVersions = (tx: Tx, versions: readonly string[]): Promise<number> =>
  tx.count(sql`
    delete from models m
     using template_version_histories h
     where h.template_version_id = any(${[...versions]}::uuid[]) and m.template_version_history_id = h.id`)

/** Condition on `m`: a newer model has existed for a quarter of a year. */
const overtaken = sql<boolean>`
  m.created_at < sluice_now() - interval '90 days'
    and exists (select from models newer
                 where newer.node_id = m.node_id and newer.created_at > m.created_at
                   and newer.created_at < sluice_now() - interval '90 days')`

/** Assets behind one that have such models, in the order of their ids, at most `most`. */
export async function nodesOvertaken(queries: Queries, after: string, most: number): Promise<string[]> {
  const rows = await queries.rows(sql<{ node_id: string }>`
    select distinct m.node_id from models m where ${overtaken} and m.node_id > ${after}::uuid order by m.node_id limit ${most}`)
  return rows.map(({ node_id }) => node_id)
}

/** Deletes at most `most` such models of an asset, but neither one rendered from `now` nor the newest of these. */
export const deleteModelsOvertaken = (
  queries: Queries,
  nodeId: string,
  now: ModelInput,
  most: number,
): Promise<number> => {
  const madeOfNow = (alias: string) => sql<boolean>`
    ${sql.ref(`${alias}.git_remote_id`)} = ${now.gitRemoteId}::uuid and ${sql.ref(`${alias}.commit_sha`)} = ${now.commit}
      and ${sql.ref(`${alias}.properties_sha`)} = ${now.propertiesSha}`
  return queries.count(sql`
    delete from models
     where id in (select m.id
                    from models m
                   where m.node_id = ${nodeId}::uuid and ${overtaken}
                     and not (${madeOfNow('m')}
                              and not exists (select from models same
                                               where same.node_id = m.node_id
                                                 and (same.created_at, same.id) > (m.created_at, m.id)
                                                 and ${madeOfNow('same')}))
                   limit ${most})`)
}
