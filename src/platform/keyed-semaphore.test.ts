import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as aMoment } from 'node:timers/promises'
import { diceOf } from '../../tests/support/dice.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'

/** Takers that have begun, in their order; each continues until the test ends it. */
function takers(turns: KeyedSemaphore) {
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
  const { began, take, end } = takers(new KeyedSemaphore({ total: 3, perKey: 2 }))
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
  const turns = new KeyedSemaphore({ total: 1, perKey: 1 })
  const failing = turns.take('a', () => Promise.reject(new Error('no')))
  const order: number[] = []
  const others = [1, 2, 3].map(at => turns.take('a', async () => void order.push(at)))
  await assert.rejects(failing, /no/)
  await Promise.all(others)
  assert.deepEqual(order, [1, 2, 3])
})

test('waiting keys have their turns one after the other, however many wait under one of them', async () => {
  const { began, take, end } = takers(new KeyedSemaphore({ total: 1, perKey: 1 }))
  void take('first', 'first')
  for (let at = 0; at < 40; at += 1) void take('many', `many ${at}`)
  void take('few', 'few 0')
  void take('few', 'few 1')
  await aMoment()
  for (const name of ['first', 'many 0', 'few 0', 'many 1', 'few 1', 'many 2']) await end(name)
  assert.deepEqual(began, ['first', 'many 0', 'few 0', 'many 1', 'few 1', 'many 2', 'many 3'])
})

test('a slow key has one place, is served after the others, and is served', async () => {
  const semaphore = new KeyedSemaphore({ total: 2, perKey: 2 }, { isSlow: key => key === 'slow' })
  const { began, take, end } = takers(semaphore)
  for (let at = 0; at < 3; at += 1) void take('slow', `slow ${at}`)
  for (let at = 0; at < 12; at += 1) void take('quick', `quick ${at}`)
  await aMoment()
  assert.deepEqual(began, ['slow 0', 'quick 0'])
  await end('slow 0')
  assert.deepEqual(began.slice(2), ['quick 1'])
  for (let at = 0; at < 10; at += 1) await end(`quick ${at}`)
  // It is overtaken eight times.
  assert.equal(began.indexOf('slow 1'), 2 + 8 + began.indexOf('quick 1') - 2)
})

test('who waits too long, or behind too many of its own, is told so and takes nothing', async () => {
  const semaphore = new KeyedSemaphore({ total: 1, perKey: 1, waitingPerKey: 2, maxWaitMilliseconds: 5 })
  const release = await semaphore.acquire('a')
  const waiting = [semaphore.acquire('a'), semaphore.acquire('a')]
  await assert.rejects(semaphore.acquire('a'), { why: 'queue is full' })
  for (const one of waiting) await assert.rejects(one, { why: 'timed out' })
  const stillWaiting = semaphore.acquire('b', Number.POSITIVE_INFINITY)
  release()
  release()
  ;(await stillWaiting)()
  const again = await semaphore.acquire('a')
  assert.equal(semaphore.takenBy('a'), 1)
  again()
  assert.equal(semaphore.takenBy('a'), 0)
})

/**
 * Random histories compared with a plain model: no place is lost or given twice, no limit is exceeded, no taker waits
 * while it may enter, and no waiter of a key that is not slow is overtaken for more turns than there are keys.
 */
test('random histories lose no place and starve nobody', async () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const dice = diceOf(seed)
    const [total, perKey, keys] = [1 + dice(4), 1 + dice(3), 1 + dice(5)]
    const slow = new Set(Array.from({ length: dice(3) }, () => `k${dice(keys)}`))
    const semaphore = new KeyedSemaphore({ total, perKey }, { isSlow: key => slow.has(key) })
    const mostOf = (key: string) => (slow.has(key) ? 1 : perKey)
    const held: { key: string; release: () => void }[] = []
    const waiting = new Map<string, number>()
    const passedBy = new Map<string, number>()
    const holds = (key: string) => held.filter(each => each.key === key).length
    const count = (key: string, by: number) => waiting.set(key, (waiting.get(key) ?? 0) + by)
    const entered = (key: string, release: () => void) => {
      count(key, -1)
      held.push({ key, release })
      for (const [other, many] of waiting) {
        if (other === key || many === 0 || holds(other) >= mostOf(other)) passedBy.set(other, 0)
        else passedBy.set(other, (passedBy.get(other) ?? 0) + 1)
      }
    }
    for (let step = 0; step < 200; step += 1) {
      if (dice(5) < 3) {
        const key = `k${dice(keys)}`
        count(key, 1)
        void semaphore.acquire(key).then(release => entered(key, release))
      } else if (held.length > 0) held.splice(dice(held.length), 1)[0]!.release()
      await aMoment()
      const about = JSON.stringify({ seed, step })
      assert.ok(held.length <= total, about)
      for (const [key, many] of waiting) {
        assert.ok(holds(key) <= mostOf(key), about)
        assert.ok(
          many === 0 || held.length === total || holds(key) === mostOf(key),
          `${key} waits for nothing: ${about}`,
        )
        const most = slow.has(key) ? keys * 9 : keys + 1
        assert.ok((passedBy.get(key) ?? 0) <= most, `${key} was passed by: ${about}`)
      }
    }
    while (held.length > 0) {
      held.pop()!.release()
      await aMoment()
    }
    assert.deepEqual([...waiting.values()].filter(Boolean), [], `somebody waits for ever: ${seed}`)
  }
})
