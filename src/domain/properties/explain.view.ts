import Type from 'typebox'
import { hasKey, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { lookUp } from '#platform/documents/json-patch.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import {
  explainParameters,
  explanation,
  instantOf,
  type LayerStatement,
  layerStatementOf,
  tokensOfParameter,
} from '../settings/index.ts'
import type { PropertyLayers } from './converged.tx.ts'
import { isRemoval, type Layer, mergeLayers, mergeSources } from './merge.ts'

/** GET …/converged_properties/explain: every layer that affects a value, and the layer that it comes from. */
export const explainPropertiesView = (layered: PropertyLayers): AnyView =>
  view<Node & { readonly readPath: string }>({
    name: 'converged_properties.explain',
    summary: 'Every layer that sets or removes a value, with version, author and time, and the layer that wins.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_properties/explain`),
    parameters: explainParameters,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: node => [{ right: 'read', path: `${node.path}/properties` }],
    run: async (node, { database, actor, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const pointer = String(query['pointer'])
      const tokens = tokensOfParameter(pointer)
      const options = at === undefined ? {} : { at }
      const layers = await layered.layers(database, node, await layered.basis(database, node, options), options)
      const { value, says } = explainValue(layers, tokens)
      return {
        body: explanation(node, 'properties', {
          pointer,
          value,
          layers: says.map(({ layer: { source, from }, value: own, wins, removes }): LayerStatement => {
            const about = { source, wins, ...(removes && { removes }) }
            if (from !== 'change' && !('file' in from))
              return { ...about, ...layerStatementOf(actor, 'properties', from, own) }
            const file = from === 'change' ? {} : { file: from.file, commit_sha: from.commitSha }
            return { ...about, ...file, ...(own !== undefined && { value: own }) }
          }),
        }),
      }
    },
  })

export interface ExplainedValue<Of> {
  readonly layer: Of
  /** Value that the layer sets there; absent if it only removes. */
  readonly value?: Json
  readonly wins: boolean
  readonly removes?: true
}

/**
 * The value in force at a place, and the layers that affect it, least specific first. A layer that puts another value
 * in place of an object above removes it, like `$remove`. For an object several layers may win, each for its part.
 */
export function explainValue<Of extends { readonly data: JsonObject }>(
  layers: readonly Of[],
  tokens: readonly string[],
): { value: Json | undefined; says: ExplainedValue<Of>[] } {
  const paths = layers.map((layer, index) => ({
    source: String(index),
    data: onlyAlong(layer.data, tokens) as JsonObject,
  }))
  const value = lookUp(mergeLayers(paths), tokens)
  const winners = value === undefined ? new Set<string>() : textsIn(lookUp(mergeSources(paths), tokens)!)
  const says: ExplainedValue<Of>[] = []
  const after = (many: readonly Layer[]) => lookUp(mergeLayers(many), tokens)
  for (const [index, layer] of layers.entries()) {
    if (after([paths[index]!]) !== undefined)
      says.push({ layer, value: lookUp(layer.data, tokens)!, wins: winners.has(String(index)) })
    else if (after(paths.slice(0, index)) !== undefined && after(paths.slice(0, index + 1)) === undefined)
      says.push({ layer, wins: false, removes: true })
  }
  const last = says.at(-1)
  if (value !== undefined || !last) return { value, says }
  return { value, says: [...says.slice(0, -1), { ...last, wins: true }] }
}

/** Reduces a document to the path to a place: merged, only this affects the value there. */
function onlyAlong(value: Json, [token, ...below]: readonly string[]): Json {
  if (token === undefined || !isObject(value) || isRemoval(value)) return value
  return objectOf(hasKey(value, token) ? [[token, onlyAlong(value[token]!, below)]] : [])
}

function textsIn(sources: Json): Set<string> {
  if (typeof sources === 'string') return new Set([sources])
  return new Set(Object.values(sources as object).flatMap(each => [...textsIn(each)]))
}
