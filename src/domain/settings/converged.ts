import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore } from '#platform/documents/document-store.ts'
import { lineOf, type Node } from '../nodes/index.ts'
import { type ConvergedSettings, convergeSettings, type SettingsLayer } from './converge.ts'
import { sourceOf } from './sources.ts'

/** Reads settings in force: stored levels under what the environment states. */
export interface SettingsReader {
  /** With secrets as they are: for use inside the service, never for an answer. */
  ofNode(
    queries: Queries,
    node: Pick<Node, 'id' | 'project_id' | 'environment_id'>,
    options?: ReadOptions,
  ): Promise<ConvergedSettings>
  /** Of the installation alone. */
  global(queries: Queries): Promise<ConvergedSettings>
  /** What a template or template version says for itself; undefined where it says nothing. */
  ownOf(queries: Queries, ownerId: string): Promise<JsonObject | undefined>
  /** Names what is stored for these owners and for the installation, as an expression (`DocumentStore.versions`). */
  versions(ownerIds: readonly string[]): Sql<string>
  readonly overrides: JsonObject
}

export interface ReadOptions {
  /** An instant; default now. */
  readonly at?: string
  /** Settings given for one change, as its most specific level. */
  readonly change?: JsonObject
}

export function settingsReader(store: DocumentStore, overrides: JsonObject): SettingsReader {
  const layersOf = async (queries: Queries, nodes: readonly Node[], at?: string): Promise<SettingsLayer[]> => {
    const installation = (await queries.one(sql<{ id: string }>`select id from installation`))!
    const stored = await store.inForce(queries, [installation.id, ...nodes.map(({ id }) => id)], at)
    const dataOf = (ownerId: string) => stored.find(({ owner_id }) => owner_id === ownerId)?.data ?? {}
    return [
      { source: 'Global', data: dataOf(installation.id) },
      ...nodes.map(node => ({ source: sourceOf(node), data: dataOf(node.id) })),
    ]
  }
  return {
    overrides,
    ofNode: async (queries, node, { at, change } = {}) => {
      const layers = await layersOf(queries, await lineOf(queries, node), at)
      return convergeSettings(change ? [...layers, { source: 'Change', data: change }] : layers, overrides)
    },
    global: async queries => convergeSettings(await layersOf(queries, []), overrides),
    versions: ownerIds => store.versions(sql`${[...ownerIds]}::uuid[] || (select id from installation)`),
    ownOf: async (queries, ownerId) => (await store.inForce(queries, [ownerId]))[0]?.data,
  }
}
