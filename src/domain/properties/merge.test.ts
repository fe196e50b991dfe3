import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject, textOf } from '#platform/documents/document.ts'
import { type Layer, mergeLayers, sourcesOf } from './merge.ts'

const layers = (...documents: JsonObject[]): Layer[] =>
  documents.map((data, index) => ({ source: `layer ${index + 1}`, data }))
const parsed = (text: string): JsonObject => JSON.parse(text)

const documents: readonly {
  what: string
  layers: string[]
  data: string
  sources: string
}[] = [
  {
    what: 'objects merge key by key at every depth',
    layers: ['{"a":{"b":1,"c":{"d":1}}}', '{"a":{"c":{"e":2}},"f":3}'],
    data: '{"a":{"b":1,"c":{"d":1,"e":2}},"f":3}',
    sources: '{"a":{"b":"layer 1","c":{"d":"layer 1","e":"layer 2"}},"f":"layer 2"}',
  },
  {
    what: 'arrays and scalars replace whole, and so does an object that meets one',
    layers: ['{"list":[1,2,3],"n":1,"o":{"x":1},"s":"a"}', '{"list":[9],"n":{"y":2},"o":5,"s":null}'],
    data: '{"list":[9],"n":{"y":2},"o":5,"s":null}',
    sources: '{"list":["layer 2"],"n":{"y":"layer 2"},"o":"layer 2","s":"layer 2"}',
  },
  {
    what: 'null is a value, $remove takes away what was inherited, and a later layer may set it again',
    layers: ['{"a":1,"b":{"c":1,"d":2}}', '{"a":{"$remove":true},"b":{"c":{"$remove":true},"d":null}}', '{"a":3}'],
    data: '{"b":{"d":null},"a":3}',
    sources: '{"b":{"d":"layer 2"},"a":"layer 3"}',
  },
  {
    what: 'a removal of what nobody set is nothing, and only the exact form removes',
    layers: [
      '{"a":{"$remove":true},"b":{"c":{"$remove":true}}}',
      '{"d":{"$remove":false},"e":{"$remove":true,"x":1},"f":[{"$remove":true}]}',
    ],
    data: '{"b":{},"d":{"$remove":false},"e":{"$remove":true,"x":1},"f":[{"$remove":true}]}',
    sources:
      '{"b":"layer 1","d":{"$remove":"layer 2"},"e":{"$remove":"layer 2","x":"layer 2"},"f":[{"$remove":"layer 2"}]}',
  },
  {
    what: 'sources follow arrays element by element, and label what is empty as one leaf',
    layers: ['{"list":[{"a":[]},{},[1,"x"]],"empty":{},"none":[]}'],
    data: '{"list":[{"a":[]},{},[1,"x"]],"empty":{},"none":[]}',
    sources: '{"list":[{"a":"layer 1"},"layer 1",["layer 1","layer 1"]],"empty":"layer 1","none":"layer 1"}',
  },
  {
    what: 'keys come in the order in which they are first seen, those like integers first',
    layers: ['{"z":1,"vlan":{"b":1,"100":1}}', '{"a":1,"z":2,"vlan":{"20":1,"a":1}}'],
    data: '{"z":2,"vlan":{"20":1,"100":1,"b":1,"a":1},"a":1}',
    sources: '{"z":"layer 2","vlan":{"20":"layer 2","100":"layer 1","b":"layer 1","a":"layer 2"},"a":"layer 2"}',
  },
  {
    what: 'keys that JavaScript uses itself are data',
    layers: [
      '{"__proto__":{"a":1},"constructor":{"b":1},"toString":1}',
      '{"__proto__":{"c":2},"constructor":{"$remove":true}}',
    ],
    data: '{"__proto__":{"a":1,"c":2},"toString":1}',
    sources: '{"__proto__":{"a":"layer 1","c":"layer 2"},"toString":"layer 1"}',
  },
  { what: 'nothing converges to an empty document', layers: [], data: '{}', sources: '""' },
]

for (const { what, layers: given, data, sources } of documents) {
  test(what, () => {
    const all = layers(...given.map(parsed))
    assert.equal(textOf(mergeLayers(all)), data)
    assert.equal(textOf(sourcesOf(all)), sources)
  })
}

const key = fc.constantFrom('a', 'b', '7', '__proto__', 'constructor')
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, 'x', null, true, [], [1, 2], { $remove: true }),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([k]) => k, maxLength: 4 }).map(Object.fromEntries),
})).value
const document = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([k]) => k, maxLength: 4 })
  .map(entries => Object.fromEntries(entries) as JsonObject)

/**
 * The rule told the other way round, for one path at a time: the last layer that says anything of the path, or puts
 * something that is no object above it, decides.
 */
function decides(all: readonly Layer[], path: readonly string[]): { value: Json; source: string } | undefined {
  for (const { data, source } of all.toReversed()) {
    let at: Json | undefined = data
    for (const [depth, token] of path.entries()) {
      if (!isObject(at)) return undefined
      if (depth > 0 && isRemoval(at)) return undefined
      at = Object.hasOwn(at, token) ? at[token] : undefined
      if (at === undefined) break
    }
    if (at === undefined) continue
    return isRemoval(at) ? undefined : { value: at, source }
  }
  return undefined
}

const isRemoval = (each: Json) => isObject(each) && Object.keys(each).length === 1 && each['$remove'] === true

function leaves(at: Json, path: readonly string[] = []): { path: readonly string[]; value: Json }[] {
  if (!isObject(at) || Object.keys(at).length === 0) return path.length ? [{ path, value: at }] : []
  return Object.entries(at).flatMap(([token, below]) => leaves(below, [...path, token]))
}

const at = (root: Json, path: readonly string[]): Json =>
  path.reduce<Json>((place, token) => (place as JsonObject)[token]!, root)

test('each value of a converged document is the one that the last layer to speak of it gave', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 5 }), given => {
      const all = layers(...given)
      const merged = mergeLayers(all)
      const sources = sourcesOf(all)
      const expected = new Set<string>()
      for (const { data } of all)
        for (const { path } of leaves(data)) {
          const decided = decides(all, path)
          if (!decided || (isObject(decided.value) && Object.keys(decided.value).length > 0)) continue
          if (isObject(decided.value)) continue
          expected.add(JSON.stringify(path))
          assert.equal(textOf(at(merged, path)), textOf(decided.value))
          const named = new Set(JSON.stringify(at(sources, path)).match(/layer \d/g))
          assert.deepEqual([...named], [decided.source])
        }
      // And nothing else stands there.
      for (const { path, value: found } of leaves(merged))
        if (!isObject(found)) assert.ok(expected.has(JSON.stringify(path)), JSON.stringify(path))
    }),
    { numRuns: 3_000 },
  )
})
