import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from './chunk-order.ts'
import { LivePlaces } from './live-places.ts'

const key = (second: number, writer = 'a'): Key => ({
  logged_at: `2026-11-27T10:00:${String(second).padStart(3, '0')}.000000Z`,
  writer_id: writer,
  attempt: 1,
  sequence: second,
})

test('lines behind all that were sent have the number of these as their place', () => {
  const places = new LivePlaces({ lines: 0, last: null })
  assert.deepEqual(places.add(key(1), key(3), 3), { line: 0, line_count: 3 })
  assert.deepEqual(places.add(key(4), key(4), 1), { line: 3, line_count: 4 })
  assert.deepEqual(places.sent, { lines: 4, last: key(4) })
})

test('lines of an earlier time leave those in place that end before them', () => {
  const places = new LivePlaces({ lines: 0, last: null })
  for (const [first, last] of [
    [1, 3],
    [4, 6],
    [7, 9],
  ] as const)
    places.add(key(first), key(last), 3)
  assert.deepEqual(places.add(key(5, 'b'), key(8, 'b'), 2), { line: 3, line_count: 11 })
  assert.deepEqual(places.add(key(10), key(10), 1), { line: 11, line_count: 12 })
})

test('a stream that begins in the middle does not know whether an earlier line moves those before its first one', () => {
  const places = new LivePlaces({ lines: 100, last: null })
  assert.deepEqual(places.add(key(10), key(12), 3), { line: 100, line_count: 103 })
  assert.deepEqual(places.add(key(5, 'b'), key(5, 'b'), 1), { line: 0, line_count: 104 })
  assert.deepEqual(places.add(key(11, 'b'), key(11, 'b'), 1), { line: 101, line_count: 105 })
  assert.deepEqual(places.add(key(13), key(13), 1), { line: 105, line_count: 106 })
})

test('a resumed stream goes on with the places that it had', () => {
  const places = new LivePlaces({ lines: 7, last: key(10) })
  assert.deepEqual(places.add(key(9, 'b'), key(9, 'b'), 1), { line: 0, line_count: 8 })
  assert.deepEqual(places.add(key(11), key(12), 2), { line: 8, line_count: 10 })
})

test('of many messages the latest are remembered', () => {
  const places = new LivePlaces({ lines: 0, last: null })
  for (let second = 0; second < 400; second++) places.add(key(second), key(second), 1)
  assert.equal(places.add(key(399, '0'), key(399, '0'), 1).line, 399)
  assert.equal(places.add(key(5, 'b'), key(5, 'b'), 1).line, 0)
})
