import { unpacked } from '#platform/crypto/packed.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { type JsonObject, parseText } from '#platform/documents/document.ts'
import type { DocumentStore } from '#platform/documents/document-store.ts'
import { differences } from '#platform/documents/json-diff.ts'
import type { Operation } from '#platform/documents/json-patch.ts'
import type { AnyView } from '#platform/domain.ts'
import { missing } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import { impactView, nodesBeneath } from '../settings/index.ts'
import type { Basis } from './basis.store.ts'
import { type ChangedPaths, changedPaths, reducedTo } from './changed-paths.ts'
import { checkProperties, ownerPath } from './check.ts'
import type { PropertyLayers } from './converged.tx.ts'
import { mergeLayers } from './merge.ts'

/** POST /api/properties/{id}/impact. Of a template, and of one of its versions, the nodes are those that have it now. */
export const propertiesImpact = (layered: PropertyLayers, store: DocumentStore): AnyView =>
  impactView({
    name: 'properties',
    proposed: async (_, found, given) => {
      checkProperties(given, ownerPath(found))
      return given
    },
    bearsOn: found =>
      nodesBeneath(found) ??
      sql<boolean>`exists (select from template_version_histories h
                            where h.node_id = n.id and h.active_to is null
                              and ${found.owner_id}::uuid in (h.template_id, h.template_version_id))`,
    changes: (queries, instead) => {
      const impact = new Impact({ layered, store, queries }, instead)
      return node => impact.on(node)
    },
  })

interface Parts {
  readonly layered: PropertyLayers
  readonly store: DocumentStore
  readonly queries: Queries
}

/**
 * Impact of another document of one owner on nodes. Documents are opened once for all nodes, and only those parts are
 * kept and merged where the owner's old and new documents differ: a leaf in a document of 100,000 leaves concerns that
 * leaf only, however many nodes there are.
 */
class Impact {
  readonly #parts: Parts
  readonly #ownerId: string
  readonly #data: JsonObject
  /** By the id of the owner's version that is compared with. */
  #since: { readonly versionId: string; readonly changed: ChangedPaths | undefined } | undefined
  /** By the ids of versions: what of them bears on the change. */
  #reduced = new Map<string, JsonObject>()

  constructor(parts: Parts, { ownerId, data }: { ownerId: string; data: JsonObject }) {
    this.#parts = parts
    this.#ownerId = ownerId
    this.#data = data
  }

  async on(node: Node): Promise<Operation[]> {
    const { layered, queries } = this.#parts
    const basis = await layered.basis(queries, node)
    const own = basis.versions.find(({ owner_id }) => owner_id === this.#ownerId)
    // Also where nothing would change of it: a node whose files cannot be read converges to nothing, and says so.
    const files = await layered.files(queries, node, basis)
    const changed = own && (await this.#changedSince(own.version_id))
    if (!changed) return []
    const reduce = (data: JsonObject) => reducedTo(changed, data) as JsonObject
    const ofFiles = files.map(({ data }) => ({ data: reduce(data) }))
    const layers = await this.#layersOf(basis, reduce)
    const then = layers.map(layer => (layer.ownerId === this.#ownerId ? { data: reduce(this.#data) } : layer))
    return differences(mergeLayers([...ofFiles, ...layers]), mergeLayers([...ofFiles, ...then]))
  }

  async #changedSince(versionId: string): Promise<ChangedPaths | undefined> {
    if (this.#since?.versionId !== versionId) {
      const [before] = await this.#opened([versionId])
      this.#since = { versionId, changed: changedPaths(before!.data, this.#data) }
      this.#reduced = new Map()
    }
    return this.#since.changed
  }

  /** The layers of a node that are documents, least specific first. */
  async #layersOf({ line, template, versions }: Basis, reduce: (data: JsonObject) => JsonObject) {
    const missed = versions.filter(({ version_id }) => !this.#reduced.has(version_id))
    const ofOwner = new Map(missed.map(each => [each.owner_id, each.version_id]))
    for (const { ownerId, data } of await this.#opened([...ofOwner.values()]))
      this.#reduced.set(ofOwner.get(ownerId)!, reduce(data))
    const data = new Map(versions.map(each => [each.owner_id, this.#reduced.get(each.version_id)!]))
    const isLeaf = ({ node_type }: { node_type: string }) => node_type === 'asset' || node_type === 'agent'
    const ownerIds = [
      ...line.filter(each => !isLeaf(each)).map(({ id }) => id),
      ...(template ? [template.template_id, template.template_version_id] : []),
      ...line.filter(isLeaf).map(({ id }) => id),
    ]
    return ownerIds.flatMap(ownerId => (data.has(ownerId) ? [{ ownerId, data: data.get(ownerId)! }] : []))
  }

  async #opened(versionIds: readonly string[]): Promise<{ ownerId: string; data: JsonObject }[]> {
    if (!versionIds.length) return []
    const { store, queries } = this.#parts
    const opened = await store.withIds(queries, versionIds)
    if (opened.length < versionIds.length) throw missing()
    return opened.map(({ owner_id, text }) => ({ ownerId: owner_id, data: parseText(unpacked(text).toString()) }))
  }
}
