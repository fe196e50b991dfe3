import type { Queries } from '#platform/db/database.ts'
import { join, type Sql, sql } from '#platform/db/sql.ts'

export interface NodeToRefresh {
  readonly id: string
  readonly history_id: string
  readonly project_id: string
  readonly path: string
  readonly code: string
  readonly name: string
  readonly node_type: string
}

/** Assets to refresh: one, or those of a template version after an id. */
interface Wanted {
  readonly nodeId?: string
  readonly templateVersionId?: string
  readonly after?: string
  readonly archived?: boolean
  /** Limits the nodes to those whose actions depend on those of the model. */
  readonly readsCatalogue?: true
}

/**
 * Assets whose version has actions that depend on their properties: each has its own derived ones. Assets of any other
 * version have the actions of the version.
 */
export const nodesToRefresh = (queries: Queries, wanted: Wanted, limit: number): Promise<NodeToRefresh[]> =>
  queries.rows(sql<NodeToRefresh>`
    select n.id, h.id as history_id, n.project_id, n.path, n.code, n.name, n.node_type
      from template_version_histories h
      join nodes n on n.id = h.node_id and n.node_type = 'asset' and n.destroyed_at is null
      join templates t on t.id = h.template_id
      join template_version_commits c on c.template_version_id = h.template_version_id and c.active_to is null
      join action_catalogues k on k.git_remote_id = c.git_remote_id and k.commit_sha = c.commit_sha
                              and k.folder = t.code and k.input_sha = '' and k.reads_input
     where h.active_to is null and ${join(conditionsOf(wanted), ' and ')}
     order by n.id
     limit ${limit}`)

/** Conditions over `h`, the open row of history of the node `n`, and `k`, the actions that its version declares. */
const conditionsOf = ({ nodeId, templateVersionId, after, archived, readsCatalogue }: Wanted): Sql<boolean>[] => [
  ...(nodeId === undefined ? [] : [sql<boolean>`n.id = ${nodeId}::uuid`]),
  ...(templateVersionId === undefined ? [] : [sql<boolean>`h.template_version_id = ${templateVersionId}::uuid`]),
  ...(after === undefined ? [] : [sql<boolean>`n.id > ${after}::uuid`]),
  ...(archived === undefined ? [] : [archived ? sql<boolean>`n.archived` : sql<boolean>`not n.archived`]),
  ...(readsCatalogue ? [sql<boolean>`k.reads_catalogue`] : []),
]
