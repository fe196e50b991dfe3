import { hash } from 'node:crypto'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import type { ViewAnswer } from '#platform/domain.ts'
import { jsonApi } from '#platform/http/accept.ts'
import { narrow } from '#platform/jsonapi/document.ts'
import type { Node } from '../nodes/index.ts'
import { hideSecrets, type SettingsReader } from '../settings/index.ts'
import type { WriteAnswer } from './answer-writer.adapter.ts'
import type { Basis } from './basis.store.ts'
import type { ConvergeOptions, PropertyLayers, UsedLayer } from './converged.tx.ts'
import { piecesOf, placeOf } from './written-answer.ts'

/** Request for a document of converged properties: its node, and its reader. */
interface ConvergedRequest {
  readonly node: Node
  readonly options: ConvergeOptions
  /** Id of the document, and its address. */
  readonly id: string
  readonly self: string
  readonly actor: Actor
  /** Basis of the node under these options, if it is already known. */
  readonly basis?: Basis | undefined
}

/**
 * Responds with the converged properties of a node, or of a change on it. The caller has the right to read its
 * properties.
 */
export type AnswerConverged = (queries: Queries, asked: ConvergedRequest) => Promise<ViewAnswer>

export const answerConvergedWith =
  (layered: PropertyLayers, settings: SettingsReader, write: WriteAnswer): AnswerConverged =>
  async (queries, { node, options, id, self, actor, basis: known }) => {
    const basis = known ?? (await layered.basis(queries, node, options))
    return {
      headers: { etag: etagOf(basis, options, settings, actor), 'content-type': jsonApi },
      body: async fields => {
        const layers = await layered.layers(queries, node, basis, options)
        const document = convergedDocument(layers, { id, self, readableBy: actor })
        return write({ pieces: piecesOf(narrow(document, fields)), layers })
      },
    }
  }

/**
 * Document of converged properties, with placeholders for its large parts. Callers who may read it see the values in
 * force and their origins; the merged documents are included if the callers may read them.
 */
function convergedDocument(
  layers: readonly UsedLayer[],
  { id, self, readableBy }: { readonly id: string; readonly self: string; readonly readableBy: Actor },
): object {
  const included = layers.flatMap((layer, index) => (mayRead(readableBy, layer) ? includedOf(layer, index) : []))
  const identifiers = (type: string) => included.filter(each => each.type === type).map(each => ({ id: each.id, type }))
  return {
    data: {
      id,
      type: 'converged_properties',
      attributes: { data: placeOf('data') },
      relationships: {
        repository_properties: { data: identifiers('repository_properties') },
        properties: { data: identifiers('properties_version') },
      },
      links: { self },
      meta: { property_sources: { by_property: placeOf('sources') } },
    },
    included,
  }
}

/**
 * Whether the caller may read a layer; one that is not a record (a file of a commit, a change's own overrides) has no
 * rights of its own.
 */
const mayRead = ({ rights }: Actor, { from }: Pick<UsedLayer, 'from'>): boolean =>
  from === 'change' || 'file' in from || rights.may('read', from.path)

interface Included {
  readonly id: string
  readonly type: string
  readonly attributes: object
  readonly links: object
  readonly meta?: object
}

function includedOf({ from }: UsedLayer, index: number): Included[] {
  if (from === 'change') return []
  if ('file' in from)
    return [
      {
        id: from.file,
        type: 'repository_properties',
        attributes: { content: placeOf(index) },
        links: { repository_path: from.file },
      },
    ]
  const { version, created_at, owner_type } = from
  return [
    {
      id: from.version_id,
      type: 'properties_version',
      attributes: { data: placeOf(index), version, created_at, owner_type },
      links: {
        self: `/api/properties_versions/${from.version_id}`,
        versions: `/api/properties/${from.id}/versions`,
        owner: `/api${from.path.replace(/\/properties$/, '')}`,
      },
      ...(from.templateVersions && { meta: { template_versions: from.templateVersions } }),
    },
  ]
}

/**
 * ETag made of the identities of the inputs, never of the body: versions and commits do not change. It reveals nothing
 * about secrets in the environment: otherwise guesses could be checked against the tag.
 */
function etagOf(basis: Basis, { change }: ConvergeOptions, { overrides }: SettingsReader, { rights }: Actor): string {
  const included = basis.versions.map(({ path }) => rights.may('read', path))
  const parts = JSON.stringify([basis, hideSecrets(overrides), included, change])
  return `"${hash('sha256', parts, 'base64url').slice(0, 27)}"`
}
