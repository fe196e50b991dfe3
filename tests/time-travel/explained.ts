import assert from 'node:assert/strict'
import type { Json, JsonObject } from '../../src/platform/documents/document.ts'
import type { Asking } from './asking.ts'
import { pathOf } from './judge.ts'
import { at, dataOf, isObject, type Layer, mergedTree, sourcesAt } from './merged.ts'
import { convergesNot, type Known, layersOf, type State, settingsOf, statedNames, whoSets } from './oracle.ts'

/** Explanations of some places of a node's properties, and of a setting, must agree with its layers. */
export async function isExplained(asking: Asking, node: string, state: State, known: Known, query = ''): Promise<void> {
  const explained: Explain = async (kind, pointer) => {
    const path = `/api${pathOf(node, known)}/converged_${kind}/explain`
    const address = `${path}?pointer=${encodeURIComponent(pointer)}${query.replace('?', '&')}`
    const { status, body, text } = await asking.get(address)
    assert.equal(status, 200, `${address}: ${text}`)
    return { address, ...body.data.attributes }
  }
  const layers = layersOf(node, state, known)
  // Any will do, as long as they vary.
  const seed = layers.reduce((sum, { data }) => sum + JSON.stringify(data).length, query.length)
  if (!convergesNot(node, state, known))
    for (const path of somePlaces(layers, seed)) await ofPlace(explained, layers, path)
  const name = [...statedNames][seed % statedNames.size]!
  const told = await explained('settings', `/${name}`)
  assert.deepEqual(told.value, settingsOf(node, state, known).data[name], told.address)
  const levels = told.layers.map(({ source, wins }) => ({ source, wins }))
  assert.deepEqual(levels, whoSets(node, name, state, known), told.address)
}

async function ofPlace(explained: Explain, layers: readonly Layer[], path: readonly string[]): Promise<void> {
  const told = await explained('properties', path.map(name => `/${name}`).join(''))
  const value = at(dataOf(mergedTree(layers)), path)
  assert.deepEqual([told.is_set, told.value], [value !== undefined, value], told.address)
  const says = told.layers.map(({ source, removes = false, wins }) => ({ source, removes, wins }))
  assert.deepEqual(says, sourcesAt(layers, path), told.address)
}

type Explain = (kind: 'properties' | 'settings', pointer: string) => Promise<Explanation>
interface Explanation {
  readonly address: string
  readonly is_set: boolean
  readonly value?: Json
  readonly layers: readonly { readonly source: string; readonly removes?: boolean; readonly wins: boolean }[]
}

/** Two of all places in the layers. */
function somePlaces(layers: readonly Layer[], seed: number): (readonly string[])[] {
  const places = [...layers.flatMap(({ data }) => placesIn(data)), ['nowhere']]
  return [places[seed % places.length]!, places[(seed * 7 + 3) % places.length]!]
}

const placesIn = (document: JsonObject, above: readonly string[] = []): (readonly string[])[] =>
  Object.entries(document)
    .filter(([name]) => name !== '$remove')
    .flatMap(([name, value]) => {
      const path = [...above, name]
      return [path, ...(isObject(value) ? placesIn(value, path) : [])]
    })
