import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { differences } from '#platform/documents/json-diff.ts'
import { applyOperations } from '#platform/documents/json-patch.ts'
import { diceOf } from '../../../tests/support/dice.ts'
import { changedPaths, reducedTo } from './changed-paths.ts'
import { mergeLayers } from './merge.ts'

const merged = (layers: readonly JsonObject[]) => mergeLayers(layers.map(data => ({ data })))

/** Differences of the merged document when one layer is replaced: by whole layers, and by the parts that matter. */
function both(layers: readonly JsonObject[], at: number, instead: JsonObject) {
  const change = (each: readonly JsonObject[], then: JsonObject) =>
    differences(merged(each), merged(each.with(at, then)))
  const whole = change(layers, instead)
  const paths = changedPaths(layers[at]!, instead)
  if (!paths) return { whole, reduced: [] }
  const reduce = (data: JsonObject) => reducedTo(paths, data) as JsonObject
  return { whole, reduced: change(layers.map(reduce), reduce(instead)) }
}

const keys = ['a', 'b', 'c', '$remove', '__proto__']
const dice = diceOf(7)
const random = () => dice(1_000) / 1_000
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
function anyValue(depth: number): Json {
  const kind = random()
  if (depth === 0 || kind < 0.25) return oneOf<Json>([1, 2, 'x', null, true, [1], [1, 2], []])
  if (kind < 0.4) return { $remove: true }
  return anyObject(depth - 1)
}
function anyObject(depth: number): JsonObject {
  const made: Record<string, Json> = {}
  for (const key of keys)
    if (random() < 0.5)
      Object.defineProperty(made, key, { value: anyValue(depth), writable: true, enumerable: true, configurable: true })
  return made
}

test('what a change of one layer does to the merged document is told from what bears on it alone', () => {
  let changed = 0
  for (let round = 0; round < 3_000; round++) {
    const layers = Array.from({ length: 4 }, () => anyObject(3))
    const at = Math.floor(random() * layers.length)
    const { whole, reduced } = both(layers, at, anyObject(3))
    if (whole.length) changed++
    const before = merged(layers)
    assert.deepEqual(applyOperations(before, reduced), applyOperations(before, whole), JSON.stringify({ layers, at }))
    assert.equal(reduced.length === 0, whole.length === 0)
  }
  assert.ok(changed > 1_000)
})

test('of a layer only what stands on the way to the change is kept', () => {
  const paths = changedPaths({ db: { host: 'a', port: 1 }, x: 1 }, { db: { host: 'b', port: 1 }, x: 1 })!
  assert.deepEqual(reducedTo(paths, { db: { host: 'c', port: 2, user: 'u' }, y: 3 }), { db: { host: 'c' } })
  assert.deepEqual(reducedTo(paths, { db: 'none', y: 3 }), { db: 'none' })
  assert.deepEqual(reducedTo(paths, { db: { $remove: true }, y: 3 }), { db: { $remove: true } })
  assert.deepEqual(reducedTo(paths, { db: {}, y: 3 }), { db: {} })
  assert.equal(changedPaths({ a: { b: [1] } }, { a: { b: [1] } }), undefined)
})
