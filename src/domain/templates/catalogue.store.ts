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
} /** `sources`: it was a program that said so, and it may be asked again. */ & (
  | { readonly state: 'ready'; readonly catalogue: ActionCatalogue; readonly sources?: ProgramSources }
  /** What is wrong, a line for each fault: `file:line:column: message`. */
  | { readonly state: 'broken'; readonly error: string; readonly sources?: ProgramSources }
  | { readonly state: 'needs_runner'; readonly sources: ProgramSources }
)

/** Actions that are only known once a program has been asked, and what stands beside it as it is. */
export interface ProgramSources {
  /** The program's file, from the repository's root. */
  readonly program: string
  readonly yaml?: { readonly file: string; readonly text: string }
}

export type Derived =
  | { readonly state: 'ready'; readonly catalogue: ActionCatalogue }
  | { readonly state: 'broken'; readonly error: string }

export type NewCatalogue = (Derived | { readonly state: 'needs_runner'; readonly sources: ProgramSources }) & {
  readonly hasModel: boolean
}

interface Row {
  readonly id: string
  readonly state: 'ready' | 'broken' | 'needs_runner'
  readonly actions: string | null
  readonly error: string | null
  readonly has_model: boolean
  readonly sources: string | null
}

export async function findCatalogue(queries: Queries, key: CatalogueKey): Promise<StoredCatalogue | undefined> {
  const row = await queries.one(sql<Row>`
    select id, state, actions, error, has_model, sources
      from action_catalogues
     where git_remote_id = ${key.gitRemoteId}::uuid
       and commit_sha = ${key.commit}
       and folder = ${key.folder}
       and input_sha = ''`)
  return row && readRow(row)
}

export function readRow({ id, state, actions, error, has_model: hasModel, sources }: Row): StoredCatalogue {
  const asked = sources !== null && { sources: JSON.parse(sources) as ProgramSources }
  if (state === 'ready') return { id, state, hasModel, catalogue: JSON.parse(actions!), ...asked }
  if (state === 'broken') return { id, state, hasModel, error: error!, ...asked }
  return { id, state, hasModel, sources: JSON.parse(actions!) }
}

/** Whoever comes second with the same commit and folder changes nothing: what they say cannot differ. */
export async function storeCatalogue(tx: Tx, key: CatalogueKey, made: NewCatalogue): Promise<void> {
  await tx.count(sql`
    insert into action_catalogues (git_remote_id, commit_sha, folder, state, actions, error, has_model, sources)
    values (${key.gitRemoteId}::uuid, ${key.commit}, ${key.folder}, ${made.state},
            ${textOf(made)}, ${made.state === 'broken' ? made.error : null}, ${made.hasModel},
            ${made.state === 'needs_runner' ? JSON.stringify(made.sources) : null})
        on conflict do nothing`)
}

/** A program has said what it declares. One that was asked again and is broken now leaves what it said before. */
export async function storeDerived(tx: Tx, key: CatalogueKey, derived: Derived): Promise<void> {
  await tx.count(sql`
    update action_catalogues
       set sources = case when state = 'needs_runner' then coalesce(sources, actions) else sources end,
           state = ${derived.state}, actions = ${textOf(derived)},
           error = ${derived.state === 'broken' ? derived.error : null}, derived_at = sluice_now()
     where git_remote_id = ${key.gitRemoteId}::uuid
       and commit_sha = ${key.commit}
       and folder = ${key.folder}
       and input_sha = ''
       and (state <> 'ready' or ${derived.state} = 'ready')`)
}

function textOf(made: Derived | NewCatalogue): string | null {
  if (made.state === 'broken') return null
  return JSON.stringify(made.state === 'ready' ? made.catalogue : made.sources)
}
