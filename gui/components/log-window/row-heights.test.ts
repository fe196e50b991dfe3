import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowHeights } from './row-heights.ts'

const lineHeight = 20

test('rows are as high as a line until they are measured', () => {
  const heights = new RowHeights(lineHeight)
  assert.equal(heights.topOf(1_000_000), 1_000_000 * lineHeight)
  assert.equal(heights.at(19_999_999), 999_999)
  assert.equal(heights.set(5, lineHeight), false)
})

test('places are the sums of heights, at any row', () => {
  const heights = new RowHeights(lineHeight)
  const measured = Array.from({ length: 5_000 }, () => lineHeight)
  let seed = 1
  for (let i = 0; i < 600; i++) {
    seed = (seed * 48_271) % 2_147_483_647
    const index = seed % 5_000
    const height = lineHeight * (1 + (seed % 40))
    assert.equal(heights.set(index, height), measured[index] !== height)
    measured[index] = height
  }
  let top = 0
  for (const [index, height] of measured.entries()) {
    assert.equal(heights.topOf(index), top)
    assert.equal(heights.at(top), index)
    assert.equal(heights.at(top + height - 1), index)
    top += height
  }
  assert.equal(heights.topOf(5_000), top)
  assert.equal(heights.at(top + 3 * lineHeight), 5_003)
  heights.clear(2_500)
  assert.equal(
    heights.topOf(2_500),
    measured.slice(0, 2_500).reduce((sum, each) => sum + each, 0),
  )
  assert.equal(heights.topOf(5_000), heights.topOf(2_500) + 2_500 * lineHeight)
  heights.clear()
  assert.equal(heights.topOf(5_000), 5_000 * lineHeight)
})
