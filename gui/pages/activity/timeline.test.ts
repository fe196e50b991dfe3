import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barOf, periodOf, ticksOf } from './timeline.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 27, 10) + seconds * 1_000).toISOString()
const time = (seconds: number) => Date.parse(at(seconds))
const period = { from: time(0), to: time(100) }

test('the period ends with the activity, or now while it runs', () => {
  assert.deepEqual(periodOf({ started_at: at(5), finished_at: at(9) }, at(0), time(50)), { from: time(5), to: time(9) })
  assert.deepEqual(periodOf({ started_at: null, finished_at: null }, at(0), time(50)), { from: time(0), to: time(50) })
  assert.ok(periodOf({ started_at: at(5), finished_at: at(5) }, at(0), 0).to > time(5))
})

test('a bar is where the step ran; one that runs reaches to the end', () => {
  const bar = barOf({ started_at: at(10), finished_at: at(30) }, period)
  assert.deepEqual([bar?.from, bar?.width.toFixed(3), bar?.milliseconds], [0.1, '0.200', 20_000])
  const running = barOf({ started_at: at(60), finished_at: null }, period)
  assert.deepEqual([running?.from, running?.width, running?.isLabelledBefore], [0.6, 0.4, true])
  assert.equal(barOf({ started_at: null, finished_at: null }, period), undefined)
})

test('a bar of a clock that was set back stays within the period', () => {
  const bar = barOf({ started_at: at(-20), finished_at: at(-10) }, period)
  assert.deepEqual([bar?.from, bar?.width], [0, 0])
})

test('marks are at round durations', () => {
  assert.deepEqual(
    ticksOf({ from: 0, to: 13_000 }, 6).map(({ text }) => text),
    ['0 s', '5.0 s', '10 s'],
  )
  for (const length of [1, 7, 900, 61_000, 3_700_000, 90_000_000, 9_000_000_000])
    assert.ok(ticksOf({ from: 0, to: length }, 6).length <= 7, String(length))
})
