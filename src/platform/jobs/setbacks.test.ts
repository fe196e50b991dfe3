import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Setbacks } from './setbacks.ts'

test('what failed is postponed for longer each time, for a minute at most, and other things are not', () => {
  let now = 0
  const setbacks = new Setbacks(() => now)
  const pauses = Array.from({ length: 12 }, (_, at) => {
    assert.equal(setbacks.note('one'), at + 1)
    const began = now
    while (setbacks.postponed().includes('one')) now += 100
    return now - began
  })
  assert.deepEqual(pauses.slice(0, 5), [200, 400, 800, 1_600, 3_200])
  assert.deepEqual(pauses.slice(-2), [60_000, 60_000])
  setbacks.note('other')
  assert.deepEqual(setbacks.postponed(), ['other'])
})

test('what went well begins anew, and so does what nobody has tried for ten minutes', () => {
  let now = 0
  const setbacks = new Setbacks(() => now)
  setbacks.note('well')
  setbacks.note('elsewhere')
  setbacks.over('well')
  assert.deepEqual(setbacks.postponed(), ['elsewhere'])
  assert.equal(setbacks.note('well'), 1)
  now += 599_000
  assert.deepEqual(setbacks.postponed(), [])
  assert.equal(setbacks.note('elsewhere'), 2)
  now += 602_000
  setbacks.postponed()
  assert.equal(setbacks.note('elsewhere'), 1)
})
