import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore, VersionInForce } from '#platform/documents/document-store.ts'
import { lineIds, lineOf, type Node } from '../nodes/index.ts'
import { type ConvergedSettings, convergeSettings, type SettingsLayer } from './converge.ts'
import { sourceOf } from './sources.ts'

type OnLine = Pick<Node, 'id' | 'project_id' | 'environment_id'>

/** Reads settings in force: stored levels under what the environment states. */
export interface SettingsReader {
  /** With secrets as they are: for use inside the service, never for an answer. */
  ofNode(queries: Queries, node: OnLine, options?: ReadOptions): Promise<ConvergedSettings>
  /** The levels that a node's settings come from, least specific first, each with the version that states it. */
  levels(queries: Queries, node: OnLine, options?: Pick<ReadOptions, 'at'>): Promise<StatedLevel[]>
  /** Settings of the installation alone. */
  global(queries: Queries): Promise<ConvergedSettings>
  /** Settings of a template or template version itself; undefined where it has none. */
  ownOf(queries: Queries, ownerId: string): Promise<JsonObject | undefined>
  /**
   * Names what is stored for these owners and for the installation, as an expression (`DocumentStore.versions`).
   *
   * @param ownerIds an array of uuids
   */
  versions(ownerIds: Sql, at?: string): Sql<string>
  /** Stamp of the newest documents (`DocumentStore.stamp`). */
  stamp(ownerIds: Sql): Sql<string>
  readonly overrides: JsonObject
}

/** Settings of one level; without a version where there was none yet. */
interface StatedLevel extends SettingsLayer {
  readonly ownerId: string
  readonly version?: VersionInForce
}

interface ReadOptions {
  /** An instant; default now. */
  readonly at?: string
  /** A document to be taken for the one that an owner has: what would be in force if it were so. */
  readonly instead?: { readonly ownerId: string; readonly data: JsonObject }
  /** Settings given for one change, as its most specific level. */
  readonly change?: JsonObject
}

export function settingsReader(store: DocumentStore, overrides: JsonObject): SettingsReader {
  const andInstallation = (ownerIds: Sql) => sql`${ownerIds} || (select id from installation)`
  const levelsOf = async (queries: Queries, node: OnLine | undefined, at?: string): Promise<StatedLevel[]> => {
    const ids = node ? lineIds(node) : []
    const [found, nodes, stored] = await Promise.all([
      queries.one(sql<{ id: string }>`select id from installation`),
      node ? lineOf(queries, node) : [],
      store.inForce(queries, andInstallation(sql`${ids}::uuid[]`), at),
    ])
    const installation = found!
    const level = (ownerId: string, source: string): StatedLevel => {
      const version = stored.find(({ owner_id }) => owner_id === ownerId)
      return { source, ownerId, data: version?.data ?? {}, ...(version && { version }) }
    }
    return [level(installation.id, 'Global'), ...nodes.map(node => level(node.id, sourceOf(node)))]
  }
  return {
    overrides,
    levels: async (queries, node, { at } = {}) => levelsOf(queries, node, at),
    ofNode: async (queries, node, { at, change, instead } = {}) => {
      const stated = await levelsOf(queries, node, at)
      const layers = stated.map(each => (each.ownerId === instead?.ownerId ? { ...each, data: instead.data } : each))
      return convergeSettings(change ? [...layers, { source: 'Change', data: change }] : layers, overrides)
    },
    global: async queries => convergeSettings(await levelsOf(queries, undefined), overrides),
    versions: (ownerIds, at) => store.versions(andInstallation(ownerIds), at),
    stamp: ownerIds => store.stamp(andInstallation(ownerIds)),
    ownOf: async (queries, ownerId) => (await store.inForce(queries, [ownerId]))[0]?.data,
  }
}

/** Names what is stored for these owners and for the installation at the moment (`SettingsReader.versions`). */
export async function versionsOf(
  queries: Queries,
  reader: Pick<SettingsReader, 'versions'>,
  ownerIds: readonly string[],
): Promise<string> {
  const { versions } = (await queries.one(
    sql<{ versions: string }>`select ${reader.versions(sql`${[...ownerIds]}::uuid[]`)} as versions`,
  ))!
  return versions
}
