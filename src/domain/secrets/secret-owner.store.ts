import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** A node as needed to look up its settings. */
export interface OwnerOfSecrets {
  readonly id: string
  readonly project_id: string
  readonly environment_id: string | null
  readonly path: string
}

/** Nodes at these paths; if a path was reused, the current node or the last one. */
export const nodesEverAt = (queries: Queries, paths: readonly string[]): Promise<OwnerOfSecrets[]> =>
  queries.rows(sql<OwnerOfSecrets>`
    select distinct on (path) id, project_id, environment_id, path
      from nodes
     where path = any(${[...paths]}::text[])
     order by path, destroyed_at desc nulls first`)

export const findOwner = (
  tx: Tx,
  path: string,
): Promise<{ id: string; path: string; project_id: string; archived: boolean; node_type: string } | undefined> =>
  tx.one(sql<{ id: string; path: string; project_id: string; archived: boolean; node_type: string }>`
    select id, path, project_id, archived, node_type from nodes where path = ${path} and destroyed_at is null`)
