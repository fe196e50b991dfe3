import assert from 'node:assert/strict'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import { applyOperations, type Operation } from '../../src/platform/documents/json-patch.ts'
import type { Deed } from './history.ts'
import { pathOf } from './judge.ts'
import { convergesNot, nodes, propertiesOf, settingsOf } from './oracle.ts'
import type { World } from './world.ts'

/** Predictions of the service without a write: the impact of a document, and the differences of two nodes. */

type Kind = 'properties' | 'settings'
interface Impact {
  readonly changes: ReadonlyMap<string, readonly Operation[]>
  /** Nodes for which it cannot be computed. */
  readonly unknown: readonly string[]
}

const inForce = { properties: propertiesOf, settings: settingsOf }

/** Writes this document, and compares the result on every node with the impact computed before. */
export async function withPredictedImpact<T>(
  world: World,
  kind: Kind,
  written: { owner: string; data: JsonObject },
  does: () => Promise<T>,
): Promise<T> {
  const { changes, unknown } = await impactOf(world, kind, written)
  const { state, known } = world
  const result = await does()
  // It was refused.
  if (world.isArchived(written.owner)) return result
  const left = new Map(changes)
  for (const node of Object.keys(state.nodes)) {
    const path = pathOf(node, known)
    const told = left.get(path) ?? []
    left.delete(path)
    if (unknown.includes(path)) continue
    const [before, after] = [state, world.state].map(each => inForce[kind](node, each, known).data)
    assert.deepEqual(applyOperations(before!, told), after, `the impact on ${path}: ${JSON.stringify(told)}`)
  }
  assert.deepEqual([...left.keys()], [], 'nodes that there are not')
  return result
}

async function impactOf(
  world: World,
  kind: Kind,
  { owner, data }: { owner: string; data: JsonObject },
): Promise<Impact> {
  const answer = await world.admin.post(`${await world.recordOf(owner, kind)}/impact`, { data })
  assert.equal(answer.status, 200, answer.text)
  const { data: affected, meta } = answer.body
  const unknown = meta.not_converging.map((each: { node_path: string }) => each.node_path)
  for (const node of Object.keys(world.state.nodes))
    if (unknown.includes(pathOf(node, world.known))) assert.ok(convergesNot(node, world.state, world.known), node)
  const entries = affected.map(({ attributes }: { attributes: { node_path: string; changes: Operation[] } }) => [
    attributes.node_path,
    attributes.changes,
  ])
  for (const [path, changes] of entries) assert.ok(changes.length > 0, `${path} is named, and would not change`)
  return { changes: new Map(entries), unknown }
}

/** A comparison of two nodes has the values in force on each, and the patch leads from one to the other. */
export async function isCompared(world: World, deed: Extract<Deed, { what: 'compares' }>): Promise<undefined> {
  const { state, known, admin } = world
  const there = Object.keys(nodes).filter(node => state.nodes[node])
  const pair = [there[deed.node % there.length]!, there[deed.with % there.length]!]
  const [node_path_a, node_path_b] = pair.map(node => pathOf(node, known))
  const { status, body, text } = await admin.post('/api/compare_nodes', { node_path_a, node_path_b })
  if (pair.some(node => convergesNot(node, state, known))) {
    assert.equal(status, 409, text)
    return
  }
  assert.equal(status, 200, text)
  const { properties, settings } = body.data.attributes
  for (const [index, node] of pair.entries()) {
    const side = ['a', 'b'][index]!
    assert.equal(JSON.stringify(properties[side]), JSON.stringify(propertiesOf(node, state, known).data))
    for (const [name, value] of Object.entries(settingsOf(node, state, known).data))
      assert.deepEqual(settings[side][name], value, `${name} of ${node}`)
  }
  for (const { a, b, difference } of [properties, settings]) assert.deepEqual(applyOperations(a, difference), b)
}
