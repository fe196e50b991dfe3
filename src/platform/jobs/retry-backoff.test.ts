import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RetryBackoff } from './retry-backoff.ts'

test('what failed is postponed for longer each time, for 25 seconds at most, and other things are not', () => {
  let now = 0
  const backoff = new RetryBackoff(() => now)
  const pauses = Array.from({ length: 12 }, (_, at) => {
    assert.equal(backoff.failed('one').tries, at + 1)
    const began = now
    while (backoff.postponed().includes('one')) now += 100
    return now - began
  })
  assert.deepEqual(pauses.slice(0, 5), [200, 400, 800, 1_600, 3_200])
  assert.deepEqual(pauses.slice(-2), [25_000, 25_000])
  backoff.failed('other')
  assert.deepEqual(backoff.postponed(), ['other'])
})

test('what went well begins anew, and so does what nobody has tried for ten minutes', () => {
  let now = 0
  const backoff = new RetryBackoff(() => now)
  backoff.failed('well')
  backoff.failed('elsewhere')
  backoff.succeeded('well')
  assert.deepEqual(backoff.postponed(), ['elsewhere'])
  assert.equal(backoff.failed('well').tries, 1)
  now += 599_000
  assert.deepEqual(backoff.postponed(), [])
  assert.equal(backoff.failed('elsewhere').tries, 2)
  now += 602_000
  backoff.postponed()
  assert.equal(backoff.failed('elsewhere').tries, 1)
})

const hour = 3_600_000
const minutes = (...numbers: number[]) => numbers.map(number => number * 60_000)

test('what has failed for an hour and five times is lost, counted anew from where it went well', () => {
  const backoff = new RetryBackoff(() => 0)
  const lost = (...at: number[]) => at.map(each => backoff.failed('one', each).isLost)
  assert.deepEqual(lost(...minutes(5, 20, 64, 65, 66)), [false, false, false, false, true])
  backoff.succeeded('one')
  assert.deepEqual(lost(...minutes(70, 80, 90, 100, 110, 129, 130)), [...Array(6).fill(false), true])
})

test('what fails with all that is tried likewise is not lost, however much else goes well', () => {
  const backoff = new RetryBackoff(() => 0)
  const isLost = (id: string, doing: string) =>
    Array.from({ length: 5 }, () => backoff.failed(id, hour, doing).isLost).at(-1)
  for (const [id, doing] of [
    ['one', 'begin'],
    ['two', 'begin'],
    ['alone', 'wake'],
  ] as const)
    backoff.failed(id, 0, doing)
  for (const id of ['a', 'b', 'c', 'd']) backoff.succeeded(id, 'wake')
  assert.deepEqual([isLost('one', 'begin'), isLost('two', 'begin'), isLost('alone', 'wake')], [false, false, true])
  for (const id of ['e', 'f']) backoff.succeeded(id, 'begin')
  assert.equal(isLost('one', 'begin'), true)
})

test('nothing is lost while more fail than went well since, and what fails alone is, where nothing else is tried', () => {
  const backoff = new RetryBackoff(() => 0)
  const fails = (...ids: string[]) => ids.forEach(id => void backoff.failed(id))
  const isLost = () => backoff.failed('one', hour).isLost
  backoff.succeeded('before')
  fails('one', 'one', 'one', 'one')
  assert.equal(isLost(), true)
  fails('two')
  assert.equal(isLost(), false)
  backoff.succeeded('a')
  backoff.succeeded('b')
  assert.equal(isLost(), true)
  fails('b')
  assert.equal(isLost(), false)
  for (const id of ['two', 'b']) backoff.remove(id)
  assert.equal(isLost(), true)
})
