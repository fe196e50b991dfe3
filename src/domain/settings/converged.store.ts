import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { DocumentStore, VersionInForce } from '#platform/documents/document-store.ts'
import { lineIds, lineOfAll, type Node } from '../nodes/index.ts'
import { type ConvergedSettings, convergeSettings, type SettingsLayer } from './converge.ts'
import { sourceOf } from './sources.ts'

type OnLine = Pick<Node, 'id' | 'project_id' | 'environment_id'>

/** Reader of settings in force: stored levels below what the environment states. */
export interface SettingsReader {
  /** Settings of a node with their secrets in clear: for use inside the service, never for a response. */
  ofNode(queries: Queries, node: OnLine, options?: ReadOptions): Promise<ConvergedSettings>
  /** Settings of each of many nodes, under any options: their levels are read once. With secrets, as `ofNode`. */
  ofNodes(
    queries: Queries,
    nodes: readonly OnLine[],
  ): Promise<(node: OnLine, options?: Omit<ReadOptions, 'at'>) => ConvergedSettings>
  /** The levels that a node's settings come from, least specific first, each with the version that states it. */
  levels(queries: Queries, node: OnLine, options?: Pick<ReadOptions, 'at'>): Promise<StatedLevel[]>
  /** Settings of the installation alone. */
  global(queries: Queries): Promise<ConvergedSettings>
  /** Settings of a template or template version itself; undefined if it has none. */
  ownOf(queries: Queries, ownerId: string): Promise<JsonObject | undefined>
  /**
   * Versions of the documents of these owners and of the installation, as an expression (`DocumentStore.versions`).
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
  /** Document to assume instead of an owner's, for computing its effect. */
  readonly instead?: { readonly ownerId: string; readonly data: JsonObject }
  /** Settings given for one change, as its most specific level. */
  readonly change?: JsonObject
}

export function settingsReader(store: DocumentStore, overrides: JsonObject): SettingsReader {
  const andInstallation = (ownerIds: Sql) => sql`${ownerIds} || (select id from installation)`
  const levelsOf = async (
    queries: Queries,
    nodes: readonly OnLine[],
    at?: string,
  ): Promise<(node?: OnLine) => StatedLevel[]> => {
    const ids = [...new Set(nodes.flatMap(lineIds))]
    const [installation, all, stored] = await Promise.all([
      queries.one(sql<{ id: string }>`select id from installation`),
      nodes.length > 0 ? lineOfAll(queries, nodes) : [],
      store.inForce(queries, andInstallation(sql`${ids}::uuid[]`), at),
    ])
    const versions = new Map(stored.map(version => [version.owner_id, version]))
    const level = (ownerId: string, source: string): StatedLevel => {
      const version = versions.get(ownerId)
      return { source, ownerId, data: version?.data ?? {}, ...(version && { version }) }
    }
    const global = level(installation!.id, 'Global')
    const byId = new Map(all.map(each => [each.id, each]))
    return node => {
      const line = node ? lineIds(node).flatMap(id => byId.get(id) ?? []) : []
      return [global, ...line.map(each => level(each.id, sourceOf(each)))]
    }
  }
  const converged = (stated: readonly StatedLevel[], { change, instead }: ReadOptions): ConvergedSettings => {
    const layers = stated.map(each => (each.ownerId === instead?.ownerId ? { ...each, data: instead.data } : each))
    return convergeSettings(change ? [...layers, { source: 'Change', data: change }] : layers, overrides)
  }
  return {
    overrides,
    levels: async (queries, node, { at } = {}) => (await levelsOf(queries, [node], at))(node),
    ofNode: async (queries, node, options = {}) =>
      converged((await levelsOf(queries, [node], options.at))(node), options),
    ofNodes: async (queries, nodes) => {
      const levels = await levelsOf(queries, nodes)
      return (node, options = {}) => converged(levels(node), options)
    },
    global: async queries => converged((await levelsOf(queries, []))(), {}),
    versions: (ownerIds, at) => store.versions(andInstallation(ownerIds), at),
    stamp: ownerIds => store.stamp(andInstallation(ownerIds)),
    ownOf: async (queries, ownerId) => (await store.inForce(queries, [ownerId]))[0]?.data,
  }
}

/** Current versions of the documents of these owners and of the installation (`SettingsReader.versions`). */
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
