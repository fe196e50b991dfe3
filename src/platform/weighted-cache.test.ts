import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeightedCache } from './weighted-cache.ts'

const keptOf = (cache: WeightedCache<number>) => ['a', 'b', 'c', 'd'].filter(key => cache.get(key) !== undefined)

test('the oldest entries are evicted when there are too many, or when all of them weigh too much', () => {
  const cache = new WeightedCache<number>({ entries: 3, weight: 10 })
  cache.set('a', 1, 1)
  cache.set('b', 2, 1)
  cache.set('a', 1, 1)
  cache.set('c', 3, 1)
  cache.set('d', 4, 1)
  assert.deepEqual(keptOf(cache), ['a', 'c', 'd'])
  cache.set('b', 2, 9)
  assert.deepEqual(keptOf(cache), ['b', 'd'])
})

test('an entry that alone weighs too much is the only one, and is gone with the next', () => {
  const cache = new WeightedCache<number>({ entries: 3, weight: 10 })
  cache.set('a', 1, 1)
  cache.set('b', 2, 50)
  assert.deepEqual(keptOf(cache), ['b'])
  cache.set('c', 3, 10)
  assert.deepEqual(keptOf(cache), ['c'])
  cache.delete('c')
  cache.set('a', 1, 5)
  cache.set('b', 2, 5)
  assert.deepEqual(keptOf(cache), ['a', 'b'])
})
