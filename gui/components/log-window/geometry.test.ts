import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryOf, linesInSight } from './geometry.ts'

const height = 600
const lineHeight = 20

test('a log of ordinary length is scrolled by its own pixels', () => {
  const { scrollHeight, pixelAt, scrollTopOf } = geometryOf(1_000, height, lineHeight)
  assert.equal(scrollHeight, 20_000)
  assert.equal(pixelAt(1_234), 1_234)
  assert.equal(scrollTopOf(1_234), 1_234)
})

test('the scroll bar of a very long log is scaled, and both ends are reached', () => {
  const { scrollHeight, pixelAt, scrollTopOf } = geometryOf(5_000_000, height, lineHeight)
  assert.equal(scrollHeight, 10_000_000)
  assert.equal(pixelAt(0), 0)
  assert.ok(Math.abs(pixelAt(scrollHeight - height) - (5_000_000 * lineHeight - height)) < 0.001)
  for (const line of [0, 1, 2_500_000, 4_999_000]) {
    const pixel = pixelAt(scrollTopOf(line * lineHeight))
    assert.ok(Math.abs(pixel - line * lineHeight) < 0.001, String(line))
  }
})

test('a log shorter than the window does not scroll', () => {
  const { pixelAt, scrollTopOf } = geometryOf(3, height, lineHeight)
  assert.equal(pixelAt(50), 0)
  assert.equal(scrollTopOf(40), 0)
})

test('only lines in sight and a few around them are drawn', () => {
  assert.deepEqual(linesInSight(1_000_000, 200_010, height, lineHeight), { from: 9_996, to: 10_035 })
  assert.deepEqual(linesInSight(10, 0, height, lineHeight), { from: 0, to: 10 })
})
