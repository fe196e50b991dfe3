import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject, textOf } from '#platform/documents/document.ts'
import { type Layer, mergeLayers, mergeSources } from './merge.ts'

const layers = (...documents: JsonObject[]): Layer[] =>
  documents.map((data, index) => ({ source: `layer ${index + 1}`, data }))
const parsed = (text: string): JsonObject => JSON.parse(text)

/** Written by hand: what the layers converge to, and where each value is from. */
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
  {
    what: 'of seven layers that state one value the last decides, and what only one of them states stays its own',
    layers: [
      '{"port":80,"of_files":1}',
      '{"port":81,"of_project":2}',
      '{"port":82,"of_environment":3}',
      '{"port":83,"of_template":4}',
      '{"port":84,"of_version":5}',
      '{"port":85,"of_asset":6}',
      '{"port":86,"of_change":7}',
    ],
    data: '{"port":86,"of_files":1,"of_project":2,"of_environment":3,"of_template":4,"of_version":5,"of_asset":6,"of_change":7}',
    sources:
      '{"port":"layer 7","of_files":"layer 1","of_project":"layer 2","of_environment":"layer 3","of_template":"layer 4","of_version":"layer 5","of_asset":"layer 6","of_change":"layer 7"}',
  },
  {
    what: 'a layer that repeats a value takes it over',
    layers: ['{"a":{"b":"same"},"c":1}', '{"a":{"b":"same"}}'],
    data: '{"a":{"b":"same"},"c":1}',
    sources: '{"a":{"b":"layer 2"},"c":"layer 1"}',
  },
  {
    what: 'an empty object takes nothing away from one that is there, and is the source of nothing in it',
    layers: ['{"a":{"b":1},"c":{}}', '{"a":{},"c":{}}'],
    data: '{"a":{"b":1},"c":{}}',
    sources: '{"a":{"b":"layer 1"},"c":"layer 1"}',
  },
  {
    what: 'an empty object replaces a scalar, and an empty array an object',
    layers: ['{"a":1,"b":{"c":{"d":1}}}', '{"a":{},"b":[]}'],
    data: '{"a":{},"b":[]}',
    sources: '{"a":"layer 2","b":"layer 2"}',
  },
  {
    what: 'what a scalar has replaced does not come back with an object that replaces the scalar',
    layers: ['{"a":{"old":1}}', '{"a":7}', '{"a":{"new":2}}'],
    data: '{"a":{"new":2}}',
    sources: '{"a":{"new":"layer 3"}}',
  },
  {
    what: 'what is removed does not come back with an object of the same name, which stands where it is seen again',
    layers: ['{"a":{"old":1},"b":1}', '{"a":{"$remove":true}}', '{"a":{"new":2}}'],
    data: '{"b":1,"a":{"new":2}}',
    sources: '{"b":"layer 1","a":{"new":"layer 3"}}',
  },
  {
    what: 'an object whose last member is removed stays, empty, and is from whoever spoke of it first',
    layers: ['{"a":{"b":{"c":1}}}', '{"a":{"b":{"x":2}}}', '{"a":{"b":{"c":{"$remove":true},"x":{"$remove":true}}}}'],
    data: '{"a":{"b":{}}}',
    sources: '{"a":{"b":"layer 1"}}',
  },
  {
    what: 'everything may be removed',
    layers: ['{"a":1,"b":{"c":2}}', '{"a":{"$remove":true},"b":{"$remove":true}}'],
    data: '{}',
    sources: '"layer 1"',
  },
  {
    what: 'arrays are never merged, also of objects, and their elements keep the order of their own keys',
    layers: ['{"hosts":[{"name":"a","port":1},{"name":"b"}]}', '{"hosts":[{"port":2,"name":"a"}]}'],
    data: '{"hosts":[{"port":2,"name":"a"}]}',
    sources: '{"hosts":[{"port":"layer 2","name":"layer 2"}]}',
  },
  {
    what: 'keys and values that look like JSON, with quotes, backslashes and all letters, are what they are',
    layers: [
      '{"a\\"b":"c\\\\","\\\\":"{\\"$remove\\":true}","ключ":"значение","🙂":["\\n","\\\\\\""]}',
      '{"a\\"b":"d,}]","\\\\":{"x":"\\u001f"}}',
    ],
    data: '{"a\\"b":"d,}]","\\\\":{"x":"\\u001f"},"ключ":"значение","🙂":["\\n","\\\\\\""]}',
    sources: '{"a\\"b":"layer 2","\\\\":{"x":"layer 2"},"ключ":"layer 1","🙂":["layer 1","layer 1"]}',
  },
  {
    what: 'of keys that are numbers only array indices come first, the smaller before the larger',
    layers: ['{"5":1,"10":1,"4294967294":1,"01":1,"-1":1,"1.5":1,"4294967295":1,"a":1}', '{"3":2,"10":2,"01":2}'],
    data: '{"3":2,"5":1,"10":2,"4294967294":1,"01":2,"-1":1,"1.5":1,"4294967295":1,"a":1}',
    sources:
      '{"3":"layer 2","5":"layer 1","10":"layer 2","4294967294":"layer 1","01":"layer 2","-1":"layer 1","1.5":"layer 1","4294967295":"layer 1","a":"layer 1"}',
  },
  {
    what: 'numbers, true, false and null are values as they are written, false and 0 too',
    layers: ['{"a":1.50e3,"b":true,"c":"x","d":1}', '{"a":-0.25,"b":false,"c":null,"d":0}'],
    data: '{"a":-0.25,"b":false,"c":null,"d":0}',
    sources: '{"a":"layer 2","b":"layer 2","c":"layer 2","d":"layer 2"}',
  },
  { what: 'nothing converges to an empty document', layers: [], data: '{}', sources: '""' },
]

for (const { what, layers: given, data, sources } of documents) {
  test(what, () => {
    const all = layers(...given.map(parsed))
    assert.equal(textOf(mergeLayers(all)), data)
    assert.equal(textOf(mergeSources(all)), sources)
  })
}

// No two of them are `x\` and `x"`: JSON.parse of V8 13.6 takes the second for the first where an object before had that.
const key = fc.constantFrom('a', 'b', '7', '10', 'q"', 'b\\', 'ü', '__proto__', 'constructor')
const scalar = fc.constantFrom<Json>(1, -2.5e-7, 'x', '"', 'back\\', ',}]', '\n\u2028', '€🙂', '', null, true, false)
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.constantFrom<Json>([], {}, { $remove: true }, { $remove: false }, [{ $remove: true }, [], {}]),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([k]) => k, maxLength: 4 }).map(Object.fromEntries),
})).value
const document = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([k]) => k, maxLength: 4 })
  .map(entries => Object.fromEntries(entries) as JsonObject)

type Path = readonly string[]

/**
 * The rule told the other way round, for one path at a time: the last layer that says anything of the path, or puts
 * something that is no object above it, decides.
 */
function decides(all: readonly Layer[], path: Path): { value: Json; source: string } | undefined {
  for (const { data, source } of all.toReversed()) {
    const said = sayingOf(data, path)
    if (said === 'nothing') continue
    return said === 'gone' ? undefined : { value: said.value, source }
  }
  return undefined
}

function sayingOf(data: JsonObject, path: Path): 'nothing' | 'gone' | { value: Json } {
  let at: Json = data
  for (const [depth, token] of path.entries()) {
    if (!isObject(at) || (depth > 0 && isRemoval(at))) return 'gone'
    if (!Object.hasOwn(at, token)) return 'nothing'
    at = at[token]!
  }
  return isRemoval(at) ? 'gone' : { value: at }
}

const isRemoval = (each: Json) => isObject(each) && Object.keys(each).length === 1 && each['$remove'] === true

/** Every place that a document speaks of, objects as well as what they hold. Arrays are values. */
function places(at: JsonObject, path: Path = []): Path[] {
  return Object.entries(at).flatMap(([token, below]) => {
    const place = [...path, token]
    return isObject(below) && !isRemoval(below) ? [place, ...places(below, place)] : [place]
  })
}

/** The source of an object that is empty in the end: who made it one since it was last something else, or not there. */
function firstToSpeakOf(all: readonly Layer[], path: Path): string {
  let first: string | undefined
  for (const { data, source } of all) {
    const said = sayingOf(data, path)
    if (said === 'gone' || (said !== 'nothing' && !isObject(said.value))) first = undefined
    else if (said !== 'nothing') first ??= source
  }
  return first!
}

/** Labels of `value` when all of it comes from one source. */
const labelledAs = (each: Json, source: string): Json => {
  if (Array.isArray(each)) return each.length === 0 ? source : each.map(one => labelledAs(one, source))
  if (!isObject(each) || Object.keys(each).length === 0) return source
  return Object.fromEntries(Object.entries(each).map(([name, one]) => [name, labelledAs(one, source)])) as JsonObject
}

const at = (root: Json, path: Path): Json => path.reduce<Json>((place, token) => (place as JsonObject)[token]!, root)

const has = (root: Json, path: Path): boolean =>
  path.length === 0 || (isObject(root) && Object.hasOwn(root, path[0]!) && has(root[path[0]!]!, path.slice(1)))

test('each value of a converged document, and its source, is the one that the last layer to speak of it gave', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 6 }), given => {
      const all = layers(...given)
      const [merged, sources] = [mergeLayers(all), mergeSources(all)]
      const spokenOf = all.flatMap(({ data }) => places(data))
      for (const path of spokenOf) {
        const decided = decides(all, path)
        assert.equal(has(merged, path), decided !== undefined, JSON.stringify(path))
        if (!decided) continue
        const found = at(merged, path)
        assert.equal(isObject(found), isObject(decided.value))
        if (!isObject(found)) {
          assert.equal(textOf(found), textOf(decided.value))
          assert.deepEqual(at(sources, path), labelledAs(found, decided.source))
        } else if (Object.keys(found).length === 0) assert.equal(at(sources, path), firstToSpeakOf(all, path))
        else assert.deepEqual(Object.keys(at(sources, path) as JsonObject), Object.keys(found))
      }
      // And nothing else is there.
      const spoken = new Set(spokenOf.map(path => JSON.stringify(path)))
      for (const path of places(merged)) assert.ok(spoken.has(JSON.stringify(path)), JSON.stringify(path))
    }),
    { numRuns: 5_000 },
  )
})
