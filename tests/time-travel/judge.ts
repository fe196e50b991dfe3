import assert from 'node:assert/strict'
import type { Json } from '../../src/platform/documents/document.ts'
import type { Answer } from '../support/api.ts'
import type { Asking } from './asking.ts'
import {
  convergesNot,
  type Known,
  layersOf,
  nodes,
  ownerTypeOf,
  propertiesOf,
  type State,
  settingsOf,
  statedNames,
} from './oracle.ts'

/** Compares a node's converged documents with the oracle. */

export const pathOf = (node: string, { project }: Known) => `/projects/${project}${nodes[node]!.path}`

/** Compares both converged documents of a node with this state; `query` as in the URL. */
export async function isInForce(asking: Asking, node: string, state: State, known: Known, query = ''): Promise<void> {
  const path = `/api${pathOf(node, known)}`
  haveConverged(await asking.get(`${path}/converged_properties${query}`), `${path} ${query}`, node, state, known)
  areSet(await asking.get(`${path}/converged_settings${query}`), `${path} ${query}`, node, state, known)
}

function haveConverged({ status, body, text }: Answer, what: string, node: string, state: State, known: Known): void {
  if (convergesNot(node, state, known)) {
    assert.deepEqual([status, body.errors[0].code], [409, 'wrong-state'], what)
    return
  }
  assert.equal(status, 200, `${what}: ${text}`)
  const found = { data: body.data.attributes.data, sources: body.data.meta.property_sources.by_property }
  // As texts: the order of keys counts.
  assert.equal(JSON.stringify(found, null, 1), JSON.stringify(propertiesOf(node, state, known), null, 1), what)
  const layers = layersOf(node, state, known)
  assert.deepEqual(
    body.included.map(toldOf),
    layers.map(({ owner, file, version, data }) =>
      owner === undefined ? [file, data] : [ownerTypeOf(owner), version, data],
    ),
    what,
  )
}

interface Included {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const toldOf = ({ type, id, attributes: { content, owner_type, version, data } }: Included): unknown[] =>
  type === 'repository_properties' ? [id, content] : [owner_type, version, data]

function areSet({ status, body, text }: Answer, what: string, node: string, state: State, known: Known): void {
  assert.equal(status, 200, `${what}: ${text}`)
  const data = body.data.attributes.data as Record<string, Json>
  const sources = body.data.meta.setting_sources.by_setting as Record<string, string>
  assert.deepEqual(Object.keys(sources), Object.keys(data), what)
  const expected = settingsOf(node, state, known)
  for (const name of statedNames)
    assert.deepEqual([data[name], sources[name]], [expected.data[name], expected.sources[name]], `${name}: ${what}`)
  for (const [name, source] of Object.entries(sources).filter(([each]) => !statedNames.has(each)))
    assert.equal(source, Object.hasOwn(known.overrides, name) ? 'Environment variable' : 'Default', `${name}: ${what}`)
}
