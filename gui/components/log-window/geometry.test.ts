import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryOf, rowsInSight } from './geometry.ts'
import { RowHeights } from './row-heights.ts'

const lineHeight = 20

const height = 600

test('a log of ordinary length is scrolled by its own pixels', () => {
  const { scrollHeight, pixelAt, scrollTopOf } = geometryOf(1_000 * lineHeight, height)
  assert.equal(scrollHeight, 20_000)
  assert.equal(pixelAt(1_234), 1_234)
  assert.equal(scrollTopOf(1_234), 1_234)
})

test('the scroll bar of a very long log is scaled, and both ends are reached', () => {
  const { scrollHeight, pixelAt, scrollTopOf } = geometryOf(5_000_000 * lineHeight, height)
  assert.equal(scrollHeight, 10_000_000)
  assert.equal(pixelAt(0), 0)
  assert.ok(Math.abs(pixelAt(scrollHeight - height) - (5_000_000 * lineHeight - height)) < 0.001)
  for (const line of [0, 1, 2_500_000, 4_999_000]) {
    const pixel = pixelAt(scrollTopOf(line * lineHeight))
    assert.ok(Math.abs(pixel - line * lineHeight) < 0.001, String(line))
  }
})

test('a log shorter than the window does not scroll', () => {
  const { pixelAt, scrollTopOf } = geometryOf(3 * lineHeight, height)
  assert.equal(pixelAt(50), 0)
  assert.equal(scrollTopOf(40), 0)
})

test('only rows in sight and a few around them are drawn', () => {
  const heights = new RowHeights(lineHeight)
  assert.deepEqual(rowsInSight(heights, 1_000_000, { pixel: 200_010, windowHeight: height }), {
    from: 9_996,
    to: 10_035,
  })
  assert.deepEqual(rowsInSight(heights, 10, { pixel: 0, windowHeight: height }), { from: 0, to: 10 })
  assert.deepEqual(rowsInSight(heights, 10, { pixel: 0, windowHeight: 0 }), { from: 0, to: 5 })
  // A wrapped line fills the window.
  heights.set(10_000, 2_000)
  assert.deepEqual(rowsInSight(heights, 1_000_000, { pixel: 200_010, windowHeight: height }), {
    from: 9_996,
    to: 10_005,
  })
})
