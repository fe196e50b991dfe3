import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diceOf } from '../../tests/support/dice.ts'
import { SlidingMinute } from './sliding-minute.ts'

test('what was added within the last minute is summed, to five seconds', () => {
  const dice = diceOf(5)
  const minute = new SlidingMinute()
  const added: { key: string; amount: number; at: number }[] = []
  let now = 123_456
  for (let step = 0; step < 5_000; step += 1) {
    now += dice(dice(50) === 0 ? 200_000 : 3_000)
    const key = `k${dice(4)}`
    if (dice(2) === 0) {
      const amount = 1 + dice(500)
      minute.add(key, amount, now)
      added.push({ key, amount, at: now })
    }
    const since = (milliseconds: number) =>
      added.reduce((sum, each) => (each.key === key && now - each.at < milliseconds ? sum + each.amount : sum), 0)
    const sum = minute.of(key, now)
    assert.ok(sum >= since(55_000) && sum <= since(60_000), `${sum} at ${now}`)
  }
})

test('who has taken nothing for a minute is forgotten', () => {
  const minute = new SlidingMinute()
  minute.add('gone', 1, 0)
  minute.add('here', 1, 100_000)
  minute.add('here', 1, 200_000)
  assert.deepEqual([...minute.keys()], ['here'])
})
