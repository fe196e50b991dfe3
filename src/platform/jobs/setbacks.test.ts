import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Setbacks } from './setbacks.ts'

test('what failed is postponed for longer each time, for a minute at most, and other things are not', () => {
  let now = 0
  const setbacks = new Setbacks(() => now)
  const pauses = Array.from({ length: 12 }, (_, at) => {
    assert.equal(setbacks.note('one').tries, at + 1)
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
  assert.equal(setbacks.note('well').tries, 1)
  now += 599_000
  assert.deepEqual(setbacks.postponed(), [])
  assert.equal(setbacks.note('elsewhere').tries, 2)
  now += 602_000
  setbacks.postponed()
  assert.equal(setbacks.note('elsewhere').tries, 1)
})

test('since when something fails is told until it went well', () => {
  const setbacks = new Setbacks(() => 0)
  assert.deepEqual(
    [10, 20].map(at => setbacks.note('one', at)),
    [
      { tries: 1, since: 10 },
      { tries: 2, since: 10 },
    ],
  )
  setbacks.over('one')
  assert.deepEqual(setbacks.note('one', 30), { tries: 1, since: 30 })
})

test('what fails with all that is tried likewise is one of most, however much else goes well', () => {
  const setbacks = new Setbacks(() => 0)
  setbacks.note('one', 0, 'begin')
  setbacks.note('two', 0, 'begin')
  setbacks.note('alone', 0, 'wake')
  for (const id of ['a', 'b', 'c', 'd']) setbacks.over(id, 'wake')
  assert.deepEqual(
    ['one', 'two', 'alone'].map(id => setbacks.isOneOfMost(id)),
    [true, true, false],
  )
  for (const id of ['e', 'f']) setbacks.over(id, 'begin')
  assert.equal(setbacks.isOneOfMost('one'), false)
})

test('what fails is one of most where more fail than went well since, and never where nothing else is tried', () => {
  const setbacks = new Setbacks(() => 0)
  const fails = (...ids: string[]) => ids.forEach(id => void setbacks.note(id))
  setbacks.over('before')
  fails('one')
  assert.equal(setbacks.isOneOfMost('one'), false)
  fails('two')
  assert.equal(setbacks.isOneOfMost('one'), true)
  setbacks.over('a')
  setbacks.over('b')
  assert.equal(setbacks.isOneOfMost('one'), false)
  fails('b')
  assert.equal(setbacks.isOneOfMost('one'), true)
  for (const id of ['two', 'b']) setbacks.forget(id)
  assert.equal(setbacks.isOneOfMost('one'), false)
})
