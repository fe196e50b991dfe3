import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as aMoment } from 'node:timers/promises'
import { Turns } from './turns.ts'

/** What has begun, in its order; each goes on until it is ended. */
function takers(turns: Turns) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  return {
    began,
    take: (kind: string, name: string) =>
      turns.take(kind, () => {
        began.push(name)
        return new Promise<void>(resolve => ends.set(name, resolve))
      }),
    end: async (name: string) => {
      ends.get(name)!()
      await aMoment()
    },
  }
}

test('however many of one kind take long, those of others have their turns', async () => {
  const { began, take, end } = takers(new Turns(3, 2))
  for (let at = 0; at < 10; at += 1) void take('slow', `slow ${at}`)
  void take('quick', 'quick 0')
  void take('quick', 'quick 1')
  await aMoment()
  assert.deepEqual(began, ['slow 0', 'slow 1', 'quick 0'])
  await end('quick 0')
  assert.deepEqual(began.slice(3), ['quick 1'])
  await end('slow 1')
  assert.deepEqual(began.slice(4), ['slow 2'])
})

test('who fails leaves the turn to the next, and of one kind the first comes first', async () => {
  const turns = new Turns(1, 1)
  const failing = turns.take('a', () => Promise.reject(new Error('no')))
  const order: number[] = []
  const others = [1, 2, 3].map(at => turns.take('a', async () => void order.push(at)))
  await assert.rejects(failing, /no/)
  await Promise.all(others)
  assert.deepEqual(order, [1, 2, 3])
})
