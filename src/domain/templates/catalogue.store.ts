import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { ActionCatalogue } from './action.ts'

/** A folder of a commit: '' is the repository's root. */
export interface CatalogueKey {
  readonly gitRemoteId: string
  readonly commit: string
  readonly folder: string
}

export type StoredCatalogue = {
  readonly id: string
  readonly hasModel: boolean
} & (
  | { readonly state: 'ready'; readonly catalogue: ActionCatalogue }
  /** What is wrong, a line for each fault: `file:line:column: message`. */
  | { readonly state: 'broken' | 'needs_runner'; readonly error: string }
)

export type NewCatalogue =
  | { readonly state: 'ready'; readonly catalogue: ActionCatalogue; readonly hasModel: boolean }
  | { readonly state: 'broken' | 'needs_runner'; readonly error: string; readonly hasModel: boolean }

interface Row {
  readonly id: string
  readonly state: 'ready' | 'broken' | 'needs_runner'
  readonly actions: string | null
  readonly error: string | null
  readonly has_model: boolean
}

export async function findCatalogue(queries: Queries, key: CatalogueKey): Promise<StoredCatalogue | undefined> {
  const row = await queries.one(sql<Row>`
    select id, state, actions, error, has_model
      from action_catalogues
     where git_remote_id = ${key.gitRemoteId}::uuid
       and commit_sha = ${key.commit}
       and folder = ${key.folder}
       and input_sha = ''`)
  return row && readRow(row)
}

export const readRow = ({ id, state, actions, error, has_model: hasModel }: Row): StoredCatalogue =>
  state === 'ready' ? { id, state, hasModel, catalogue: JSON.parse(actions!) } : { id, state, hasModel, error: error! }

/** Whoever comes second with the same commit and folder changes nothing: what they say cannot differ. */
export async function storeCatalogue(tx: Tx, key: CatalogueKey, made: NewCatalogue): Promise<void> {
  const ready = made.state === 'ready'
  await tx.count(sql`
    insert into action_catalogues (git_remote_id, commit_sha, folder, state, actions, error, has_model)
    values (${key.gitRemoteId}::uuid, ${key.commit}, ${key.folder}, ${made.state},
            ${ready ? JSON.stringify(made.catalogue) : null}, ${ready ? null : made.error}, ${made.hasModel})
        on conflict do nothing`)
}
