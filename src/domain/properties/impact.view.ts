import { unpacked } from '#platform/crypto/packed.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type JsonObject, parseText } from '#platform/documents/document.ts'
import type { DocumentStore } from '#platform/documents/document-store.ts'
import { differences } from '#platform/documents/json-diff.ts'
import type { Operation } from '#platform/documents/json-patch.ts'
import type { AnyView } from '#platform/domain.ts'
import { Failure, missing } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import { impactView, nodesBelow } from '../settings/index.ts'
import type { Basis } from './basis.store.ts'
import { type ChangedPaths, changedPaths, reducedTo } from './changed-paths.ts'
import { checkProperties, ownerPath } from './check.ts'
import type { PropertyLayers } from './converged.tx.ts'
import { mergeLayers } from './merge.ts'

/** POST /api/properties/{id}/impact. For a template, or one of its versions, the nodes are those that have it now. */
export const propertiesImpact = (layered: PropertyLayers, store: DocumentStore): AnyView =>
  impactView({
    name: 'properties',
    proposed: async (_, found, given) => {
      checkProperties(given, ownerPath(found))
      return given
    },
    bearsOn: found =>
      nodesBelow(found) ??
      sql<boolean>`exists (select from template_version_histories h
                            where h.node_id = n.id and h.active_to is null
                              and ${found.owner_id}::uuid in (h.template_id, h.template_version_id))`,
    changes: (queries, nodes, instead) => new Impact({ layered, store, queries }, instead).on(nodes),
  })

interface Parts {
  readonly layered: PropertyLayers
  readonly store: DocumentStore
  readonly queries: Queries
}

/**
 * Impact of another document of one owner on nodes. Documents are decrypted once for all nodes, and only the parts in
 * which the owner's old and new documents differ are kept and merged: a leaf in a document of 100,000 leaves costs only
 * that leaf, however many nodes there are.
 */
class Impact {
  readonly #parts: Parts
  readonly #ownerId: string
  readonly #data: JsonObject

  constructor(parts: Parts, { ownerId, data }: { ownerId: string; data: JsonObject }) {
    this.#parts = parts
    this.#ownerId = ownerId
    this.#data = data
  }

  /** Changes of each node by its id. */
  async on(nodes: readonly Node[]): Promise<ReadonlyMap<string, readonly Operation[] | Failure>> {
    const { layered, queries } = this.#parts
    const bases = await layered.bases(queries, nodes)
    const files = await layered.files(queries, nodes, bases)
    const changes = new Map<string, readonly Operation[] | Failure>()
    const since = ({ id }: Node) =>
      bases.get(id)?.versions.find(({ owner_id }) => owner_id === this.#ownerId)?.version_id
    // Usually one version: all nodes have the same owner above them. A concurrent write makes it two.
    for (const [versionId, some] of Map.groupBy(nodes, since)) {
      const changed = versionId === undefined ? undefined : await this.#changedSince(versionId)
      const reduce = (data: JsonObject) => reducedTo(changed!, data) as JsonObject
      const reduced = changed ? await this.#reducedDocuments(some, bases, reduce) : undefined
      const instead = changed && reduce(this.#data)
      for (const { id } of some) {
        const ofFiles = files.get(id)!
        const basis = bases.get(id)
        // Also if nothing of it would change: a node whose files cannot be read does not converge, and reports that.
        if (ofFiles instanceof Failure) changes.set(id, ofFiles)
        else if (!basis || !reduced || !instead) changes.set(id, [])
        else
          changes.set(
            id,
            this.#changesOf(
              basis,
              ofFiles.map(({ data }) => reduce(data)),
              reduced,
              instead,
            ),
          )
      }
    }
    return changes
  }

  async #changedSince(versionId: string): Promise<ChangedPaths | undefined> {
    const changed = await this.#opened([versionId], before => changedPaths(before, this.#data))
    return changed.get(versionId)
  }

  /** Parts of all documents of the nodes that affect the change, by the ids of their versions. */
  async #reducedDocuments(
    nodes: readonly Node[],
    bases: ReadonlyMap<string, Basis>,
    reduce: (data: JsonObject) => JsonObject,
  ): Promise<ReadonlyMap<string, JsonObject>> {
    const ids = nodes.flatMap(({ id }) => bases.get(id)?.versions.map(({ version_id }) => version_id) ?? [])
    return this.#opened([...new Set(ids)], reduce)
  }

  #changesOf(
    { line, template, versions }: Basis,
    files: readonly JsonObject[],
    reduced: ReadonlyMap<string, JsonObject>,
    instead: JsonObject,
  ): Operation[] | Failure {
    const data = new Map(versions.map(each => [each.owner_id, reduced.get(each.version_id)!]))
    // If one of them is gone (a node destroyed meanwhile) the rest would be another document.
    if (versions.some(({ version_id }) => !reduced.has(version_id))) return missing()
    const isLeaf = ({ node_type }: { node_type: string }) => node_type === 'asset' || node_type === 'agent'
    const owners = [
      ...line.filter(each => !isLeaf(each)).map(({ id }) => id),
      ...(template ? [template.template_id, template.template_version_id] : []),
      ...line.filter(isLeaf).map(({ id }) => id),
    ].filter(id => data.has(id))
    const merged = (of: (ownerId: string) => JsonObject) =>
      mergeLayers([...files, ...owners.map(of)].map(each => ({ data: each })))
    return differences(
      merged(id => data.get(id)!),
      merged(id => (id === this.#ownerId ? instead : data.get(id)!)),
    )
  }

  /** Applies `read` to each document; the results by the ids of the versions. The documents themselves are not kept. */
  async #opened<Read>(versionIds: readonly string[], read: (data: JsonObject) => Read): Promise<Map<string, Read>> {
    const { store, queries } = this.#parts
    const opened = await store.withIds(queries, versionIds)
    return new Map(opened.map(({ version_id, text }) => [version_id, read(parseText(unpacked(text).toString()))]))
  }
}
