import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilTurn } from './loops.ts'

const shares = Array.from({ length: 12 }, (_, at) => at / 12)

test('loops that look as often as each other never do so at the same moment, whenever they were woken last', () => {
  for (const now of [0, 0.25, 17, 499.5, 999.9, 12_345.678, 86_400_000.5]) {
    const turns = shares.map(share => (now + untilTurn(1_000, share, now)) % 1_000).toSorted((a, b) => a - b)
    const apart = turns.map((turn, at) => (turns[at + 1] ?? turns[0]! + 1_000) - turn)
    assert.ok(Math.min(...apart) > 83, `${apart} ms lie between their turns at ${now}`)
  }
})

test('a loop looks once in its time, and not twice where its timer came early', () => {
  for (const share of shares)
    for (let now = 0; now < 3_000; now += 0.7) {
      const wait = untilTurn(1_000, share, now)
      assert.ok(wait >= 5 && wait <= 1_005, `${wait} ms at ${now}`)
    }
  assert.equal(untilTurn(1_000, 0.5, 499), 1_001)
  assert.equal(untilTurn(1_000, 0.5, 501), 999)
})
