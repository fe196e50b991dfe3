import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { equal, type Json, type JsonObject, textOf } from '#platform/documents/document.ts'
import { lookUp } from '#platform/documents/json-patch.ts'
import { explainValue } from './explain.view.ts'
import { mergeLayers, mergeSources } from './merge.ts'

const layersOf = (...documents: string[]) =>
  documents.map((text, index) => ({ source: `${index + 1}`, data: JSON.parse(text) as JsonObject }))
const told = (tokens: string[], ...documents: string[]) => {
  const { value, says } = explainValue(layersOf(...documents), tokens)
  return [
    value,
    says.map(({ layer, wins, removes }) => `${layer.source}${removes ? ' removes' : ''}${wins ? ' wins' : ''}`),
  ]
}

test('the last layer to state a value wins, and the others are told', () => {
  assert.deepEqual(told(['a', 'b'], '{"a":{"b":1}}', '{"a":{"c":1}}', '{"a":{"b":null}}'), [null, ['1', '3 wins']])
})

test('of an object each layer wins whose part of it is in force', () => {
  const documents = ['{"a":{"b":1,"c":1}}', '{"a":{"b":2}}', '{"a":{"c":3}}']
  assert.deepEqual(told(['a'], ...documents), [{ b: 2, c: 3 }, ['1', '2 wins', '3 wins']])
})

test('who takes a value away is told, also where something else was put in its place, and who sets it again wins', () => {
  assert.deepEqual(told(['a'], '{"a":1}', '{"a":{"$remove":true}}'), [undefined, ['1', '2 removes wins']])
  assert.deepEqual(told(['a', 'b'], '{"a":{"b":1}}', '{"a":[]}'), [undefined, ['1', '2 removes wins']])
  assert.deepEqual(told(['l', '1'], '{"l":[1,2]}', '{"l":[1]}'), [undefined, ['1', '2 removes wins']])
  const again = ['{"a":{"b":1}}', '{"a":{"$remove":true}}', '{"a":{"b":2}}']
  assert.deepEqual(told(['a', 'b'], ...again), [2, ['1', '2 removes', '3 wins']])
  assert.deepEqual(told(['a'], '{"b":1}', '{"a":{"$remove":true}}'), [undefined, []])
})

const key = fc.constantFrom('a', 'b', '0', '__proto__')
const { object } = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, 1, 2),
    fc.constant<Json>({ $remove: true }),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map(each => Object.fromEntries(each) as JsonObject),
}))

test('what is explained is what is in force, and the winners are the sources of its leaves', () => {
  fc.assert(
    fc.property(
      fc.array(object, { minLength: 1, maxLength: 5 }),
      fc.array(key, { maxLength: 3 }),
      (documents, tokens) => {
        const layers = layersOf(...documents.map(textOf))
        const { value, says } = explainValue(layers, tokens)
        const merged = lookUp(mergeLayers(layers), tokens)
        assert.ok(value === undefined ? merged === undefined : equal(value, merged!))
        const winners = says.filter(({ wins }) => wins).map(({ layer }) => layer.source)
        if (merged === undefined) assert.ok(winners.length === (says.length === 0 ? 0 : 1))
        else assert.deepEqual(new Set(winners), textsOf(lookUp(mergeSources(layers), tokens)!))
      },
    ),
    { numRuns: 2_000 },
  )
})

const textsOf = (sources: Json): Set<string> =>
  typeof sources === 'string'
    ? new Set([sources])
    : new Set(Object.values(sources as object).flatMap(each => [...textsOf(each)]))
