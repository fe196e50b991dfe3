import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Setbacks } from './retry-backoff.ts'

test('what failed is postponed for longer each time, for 25 seconds at most, and other things are not', () => {
  let now = 0
  const setbacks = new Setbacks(() => now)
  const pauses = Array.from({ length: 12 }, (_, at) => {
    assert.equal(setbacks.note('one').tries, at + 1)
    const began = now
    while (setbacks.postponed().includes('one')) now += 100
    return now - began
  })
  assert.deepEqual(pauses.slice(0, 5), [200, 400, 800, 1_600, 3_200])
  assert.deepEqual(pauses.slice(-2), [25_000, 25_000])
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
  assert.equal(setbacks.note('well').tries, 1)
  now += 599_000
  assert.deepEqual(setbacks.postponed(), [])
  assert.equal(setbacks.note('elsewhere').tries, 2)
  now += 602_000
  setbacks.postponed()
  assert.equal(setbacks.note('elsewhere').tries, 1)
})

const hour = 3_600_000
const minutes = (...numbers: number[]) => numbers.map(number => number * 60_000)

test('what has failed for an hour and five times is lost, counted anew from where it went well', () => {
  const setbacks = new Setbacks(() => 0)
  const lost = (...at: number[]) => at.map(each => setbacks.note('one', each).isLost)
  assert.deepEqual(lost(...minutes(5, 20, 64, 65, 66)), [false, false, false, false, true])
  setbacks.over('one')
  assert.deepEqual(lost(...minutes(70, 80, 90, 100, 110, 129, 130)), [...Array(6).fill(false), true])
})

test('what fails with all that is tried likewise is not lost, however much else goes well', () => {
  const setbacks = new Setbacks(() => 0)
  const isLost = (id: string, doing: string) =>
    Array.from({ length: 5 }, () => setbacks.note(id, hour, doing).isLost).at(-1)
  for (const [id, doing] of [
    ['one', 'begin'],
    ['two', 'begin'],
    ['alone', 'wake'],
  ] as const)
    setbacks.note(id, 0, doing)
  for (const id of ['a', 'b', 'c', 'd']) setbacks.over(id, 'wake')
  assert.deepEqual([isLost('one', 'begin'), isLost('two', 'begin'), isLost('alone', 'wake')], [false, false, true])
  for (const id of ['e', 'f']) setbacks.over(id, 'begin')
  assert.equal(isLost('one', 'begin'), true)
})

test('nothing is lost while more fail than went well since, and what fails alone is, where nothing else is tried', () => {
  const setbacks = new Setbacks(() => 0)
  const fails = (...ids: string[]) => ids.forEach(id => void setbacks.note(id))
  const isLost = () => setbacks.note('one', hour).isLost
  setbacks.over('before')
  fails('one', 'one', 'one', 'one')
  assert.equal(isLost(), true)
  fails('two')
  assert.equal(isLost(), false)
  setbacks.over('a')
  setbacks.over('b')
  assert.equal(isLost(), true)
  fails('b')
  assert.equal(isLost(), false)
  for (const id of ['two', 'b']) setbacks.forget(id)
  assert.equal(isLost(), true)
})
