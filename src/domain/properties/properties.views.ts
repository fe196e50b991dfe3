import { createHash } from 'node:crypto'
import Type from 'typebox'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import { instantOf } from '../settings/index.ts'
import type { ConvergedProperties, ConvergeProperties, UsedLayer } from './converged.ts'

type FoundNode = Node & { readonly readPath: string }

export const convergedPropertiesView = (converge: ConvergeProperties): AnyView =>
  view<FoundNode>({
    name: 'converged_properties.show',
    summary: 'The properties in force on a node, merged from all their layers, with the source of each value.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_properties`),
    parameters: {
      converge_date: {
        schema: Type.String(),
        describe: 'An ISO 8601 date (its end in UTC) or date-time: every layer as it then was.',
      },
    },
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: node => [{ right: 'read', path: `${node.path}/properties` }],
    run: async (node, { database, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const converged = await converge(database, node, at === undefined ? {} : { at })
      return {
        body: convergedDocument(converged, { id: node.code, self: `/api${node.path}/converged_properties` }),
        headers: { etag: etagOf(converged) },
      }
    },
  })

/** The document of a node's, a change's or a step's converged properties. */
export function convergedDocument(
  { data, layers, sources }: ConvergedProperties,
  { id, self }: { readonly id: string; readonly self: string },
): object {
  const identifiers = (type: string) =>
    layers
      .map(includedOf)
      .filter(each => each?.type === type)
      .map(each => ({ id: each!.id, type }))
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
    included: layers.map(includedOf).filter(each => each !== undefined),
  }
}

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
  } as { id: string; type: string }
}

/** Of what went into it, and how that is called; never of the body: versions and commits do not change. */
function etagOf({ layers }: ConvergedProperties): string {
  const hash = createHash('sha256')
  for (const { from, source } of layers) {
    const what = from === 'change' ? '' : 'file' in from ? `${from.commitSha} ${from.file}` : from.version_id
    hash.update(`${source}\n${what}\n`)
  }
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
