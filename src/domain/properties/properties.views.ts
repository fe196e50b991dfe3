import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { jsonApi } from '#platform/http/accept.ts'
import { narrow } from '#platform/jsonapi/document.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { convergeDateParameter, instantOf } from '../settings/index.ts'
import type { WriteAnswer } from './answer-writer.adapter.ts'
import type { Basis } from './basis.store.ts'
import type { PropertyLayers, UsedLayer } from './converged.ts'
import { piecesOf, placeOf } from './written-answer.ts'

interface Found extends Target {
  readonly node: Node
  /** As of now, unless an instant is asked for. */
  readonly basis?: Basis
}

export const convergedPropertiesView = (
  layered: PropertyLayers,
  settings: SettingsReader,
  write: WriteAnswer,
): AnyView =>
  view<Found>({
    name: 'converged_properties.show',
    summary: 'The properties in force on a node, merged from all their layers, with the source of each value.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_properties`),
    parameters: convergeDateParameter,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params, query }) => {
      if (query['converge_date'] === undefined) {
        const found = await layered.find(database, params)
        return found && { ...found, readPath: found.node.path }
      }
      const node = await findNode(database, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }) => [{ right: 'read', path: `${node.path}/properties` }],
    run: async ({ node, basis: ofNow }, { database, actor, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const options = at === undefined ? {} : { at }
      const basis = ofNow ?? (await layered.basis(database, node, options))
      return {
        headers: { etag: etagOf(basis, settings, actor), 'content-type': jsonApi },
        body: async fields => {
          const layers = await layered.layers(database, node, basis, options)
          const document = convergedDocument(layers, { id: node.code, self: selfOf(node), readableBy: actor })
          return write({ pieces: piecesOf(narrow(document, fields)), layers })
        },
      }
    },
  })

const selfOf = (node: Node): string => `/api${node.path}/converged_properties`

/**
 * The document of converged properties, with places for what is large in it. Whoever may read those sees what is in force,
 * and where each value is from; the documents that it was merged from are included as far as they may be read themselves.
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

/** What is no record (a file of a commit, a change's own overrides) has no rights of its own. */
export const mayRead = ({ rights }: Actor, { from }: Pick<UsedLayer, 'from'>): boolean =>
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

/** Of what goes into it, and how that is called; never of the body: versions and commits do not change. */
function etagOf(basis: Basis, { overrides }: SettingsReader, { rights }: Actor): string {
  const included = basis.versions.map(({ path }) => rights.may('read', path))
  return `"${hash('sha256', JSON.stringify([basis, overrides, included]), 'base64url').slice(0, 27)}"`
}
