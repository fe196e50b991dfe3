import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { fromJson } from '#json/from-json.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** A folder of a commit: '' is the repository's root. */
export interface CatalogueKey {
  readonly gitRemoteId: string
  readonly commit: string
  readonly folder: string
  /** Keyed hash of the properties, for actions that depend on those of their asset. Absent: for any asset, or none. */
  readonly input?: string
}

/** `sources`: a program declared them, and it may be run again. */
export type StoredCatalogue = {
  readonly id: string
  readonly hasModel: boolean
  /** Whether the program read the properties of an asset: each asset then has its own actions. */
  readonly readsInput: boolean
  /** Whether the program also reads the actions of its model. */
  readonly readsCatalogue: boolean
} & (
  | { readonly state: 'ready'; readonly catalogue: ActionCatalogue; readonly sources?: ProgramSources }
  /** Faults, one per line: `file:line:column: message`. */
  | { readonly state: 'broken'; readonly error: string; readonly sources?: ProgramSources }
  | { readonly state: 'needs_runner'; readonly sources: ProgramSources }
)

/** Actions that are only known once a program has run, with the declarations of files. */
export interface ProgramSources {
  /** The program's file, from the repository's root. */
  readonly program: string
  readonly yaml?: { readonly file: string; readonly text: string }
}

export type Derived =
  | {
      readonly state: 'ready'
      readonly catalogue: ActionCatalogue
      readonly readsInput?: boolean
      readonly readsCatalogue?: boolean
    }
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
  readonly reads_input: boolean
  readonly reads_catalogue: boolean
}

/** @param nodeId an asset: its own actions of that commit, if it has some */
export async function findCatalogue(
  queries: Queries,
  key: CatalogueKey,
  nodeId?: string,
): Promise<StoredCatalogue | undefined> {
  const ofKey = sql`
    k.git_remote_id = ${key.gitRemoteId}::uuid and k.commit_sha = ${key.commit} and k.folder = ${key.folder}`
  const columns = sql`k.id, k.state, k.actions, k.error, k.has_model, k.sources, k.reads_input, k.reads_catalogue`
  const shared = sql`
    select ${columns} from action_catalogues k where ${ofKey} and k.input_sha = ${key.input ?? ''}`
  const own = sql`
    select ${columns}
      from node_actions o
      join action_catalogues k on k.id = o.catalogue_id
     where o.node_id = ${nodeId ?? null}::uuid and ${ofKey}`
  const row = await queries.one(
    nodeId === undefined
      ? sql<Row>`${shared}`
      : sql<Row>`with own as (${own}) select * from own union all (select * from (${shared}) s where not exists (select from own))`,
  )
  return row && readRow(row)
}

function readRow({
  id,
  state,
  actions,
  error,
  has_model: hasModel,
  sources,
  reads_input: readsInput,
  reads_catalogue: readsCatalogue,
}: Row): StoredCatalogue {
  const asked = sources !== null && { sources: fromJson(sources) as ProgramSources }
  const told = { id, hasModel, readsInput, readsCatalogue }
  if (state === 'ready') return { ...told, state, catalogue: fromJson(actions!), ...asked }
  if (state === 'broken') return { ...told, state, error: error!, ...asked }
  return { ...told, state, sources: fromJson(actions!) }
}

/** Stores a catalogue unless the same commit and folder have one already: it cannot differ. */
export async function storeCatalogue(tx: Tx, key: CatalogueKey, made: NewCatalogue): Promise<void> {
  await tx.count(sql`
    insert into action_catalogues (git_remote_id, commit_sha, folder, state, actions, error, has_model, sources)
    values (${key.gitRemoteId}::uuid, ${key.commit}, ${key.folder}, ${made.state},
            ${textOf(made)}, ${made.state === 'broken' ? made.error : null}, ${made.hasModel},
            ${made.state === 'needs_runner' ? JSON.stringify(made.sources) : null})
        on conflict do nothing`)
}

/** Stores the declarations of a program. If a program that is run again is broken now, its earlier result remains. */
export async function storeDerived(tx: Tx, key: CatalogueKey, derived: Derived): Promise<void> {
  const error = derived.state === 'broken' ? derived.error : null
  const readsInput = derived.state === 'ready' && derived.readsInput === true
  const readsCatalogue = derived.state === 'ready' && derived.readsCatalogue === true
  await tx.count(sql`
    update action_catalogues
       set sources = case when state = 'needs_runner' then coalesce(sources, actions) else sources end,
           state = ${derived.state}, actions = ${textOf(derived)}, error = ${error}, reads_input = ${readsInput},
           reads_catalogue = ${readsCatalogue}, derived_at = sluice_now()
     where git_remote_id = ${key.gitRemoteId}::uuid
       and commit_sha = ${key.commit}
       and folder = ${key.folder}
       and input_sha = ''
       and (state <> 'ready' or ${derived.state} = 'ready')`)
}

/** Stores the catalogue of a program that got the properties of an asset (`key.input`). */
export async function storeDerivedFor(tx: Tx, key: CatalogueKey, catalogue: ActionCatalogue): Promise<void> {
  await tx.count(sql`
    insert into action_catalogues (git_remote_id, commit_sha, folder, input_sha, state, actions, has_model, sources,
                                   reads_input)
    select git_remote_id, commit_sha, folder, ${key.input!}, 'ready', ${JSON.stringify(catalogue)}, has_model, sources, true
      from action_catalogues
     where git_remote_id = ${key.gitRemoteId}::uuid
       and commit_sha = ${key.commit}
       and folder = ${key.folder}
       and input_sha = ''
        on conflict (git_remote_id, commit_sha, folder, input_sha)
        do update set actions = excluded.actions, derived_at = sluice_now()`)
}

/** Makes these the node's current actions. */
export async function giveActions(tx: Tx, nodeId: string, catalogueId: string): Promise<void> {
  await tx.count(sql`
    insert into node_actions (node_id, catalogue_id)
    values (${nodeId}::uuid, ${catalogueId}::uuid)
        on conflict (node_id) do update set catalogue_id = excluded.catalogue_id, derived_at = sluice_now()`)
}

function textOf(made: Derived | NewCatalogue): string | null {
  if (made.state === 'broken') return null
  return JSON.stringify(made.state === 'ready' ? made.catalogue : made.sources)
}

/** Deletes derived actions that no node has had for a month. */
export const deleteUnused = (queries: Queries, most: number): Promise<number> =>
  queries.count(sql`
    delete from action_catalogues
     where id in (select k.id
                    from action_catalogues k
                   where k.input_sha <> '' and k.derived_at < sluice_now() - interval '30 days'
                     and not exists (select from node_actions o where o.catalogue_id = k.id)
                   limit ${most}
                     for update skip locked)`)
