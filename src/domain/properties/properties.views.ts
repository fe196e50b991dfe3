import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { convergeDateParameter, instantOf } from '../settings/index.ts'
import type { Basis } from './basis.store.ts'
import { type ConvergedProperties, convergedWithSources, type PropertyLayers, type UsedLayer } from './converged.ts'

type FoundNode = Node & { readonly readPath: string }

export const convergedPropertiesView = (layered: PropertyLayers, settings: SettingsReader): AnyView =>
  view<FoundNode>({
    name: 'converged_properties.show',
    summary: 'The properties in force on a node, merged from all their layers, with the source of each value.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_properties`),
    parameters: convergeDateParameter,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: node => [{ right: 'read', path: `${node.path}/properties` }],
    run: async (node, { database, actor, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const options = at === undefined ? {} : { at }
      const basis = await layered.basis(database, node, options)
      const self = `/api${node.path}/converged_properties`
      return {
        headers: { etag: etagOf(basis, settings, actor) },
        body: async () => {
          const layers = await layered.layers(database, node, basis, options)
          return convergedDocument(convergedWithSources(layers), { id: node.code, self, readableBy: actor })
        },
      }
    },
  })

/**
 * The document of a node's, a change's or a step's converged properties. Whoever may read those sees what is in force,
 * and where each value is from; the documents that it was merged from are included as far as they may be read themselves.
 */
export function convergedDocument(
  { data, layers, sources }: ConvergedProperties,
  { id, self, readableBy }: { readonly id: string; readonly self: string; readonly readableBy: Actor },
): object {
  const included = layers.filter(layer => mayRead(readableBy, layer)).flatMap(layer => includedOf(layer) ?? [])
  const identifiers = (type: string) => included.filter(each => each.type === type).map(each => ({ id: each.id, type }))
  return {
    data: {
      id,
      type: 'converged_properties',
      attributes: { data },
      relationships: {
        repository_properties: { data: identifiers('repository_properties') },
        properties: { data: identifiers('properties_version') },
      },
      links: { self },
      meta: { property_sources: { by_property: sources() } },
    },
    included,
  }
}

/** What is no record (a file of a commit, a change's own overrides) has no rights of its own. */
export const mayRead = ({ rights }: Actor, { from }: Pick<UsedLayer, 'from'>): boolean =>
  from === 'change' || 'file' in from || rights.may('read', from.path)

function includedOf({ from, data }: UsedLayer): { id: string; type: string } | undefined {
  if (from === 'change') return undefined
  if ('file' in from)
    return {
      id: from.file,
      type: 'repository_properties',
      attributes: { content: data },
      links: { repository_path: from.file },
    } as { id: string; type: string }
  return {
    id: from.version_id,
    type: 'properties_version',
    attributes: { data, version: from.version, created_at: from.created_at, owner_type: from.owner_type },
    links: {
      self: `/api/properties_versions/${from.version_id}`,
      versions: `/api/properties/${from.id}/versions`,
      owner: `/api${from.path.replace(/\/properties$/, '')}`,
    },
    ...(from.templateVersions && { meta: { template_versions: from.templateVersions } }),
  } as { id: string; type: string }
}

/** Of what goes into it, and how that is called; never of the body: versions and commits do not change. */
function etagOf(basis: Basis, { overrides }: SettingsReader, { rights }: Actor): string {
  const included = basis.versions.map(({ path }) => rights.may('read', path))
  return `"${hash('sha256', JSON.stringify([basis, overrides, included]), 'base64url').slice(0, 27)}"`
}
