import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoalescedRun } from './coalesced-run.ts'

test('whatever asks during a look gets one more look, and only one', async () => {
  const looks: PromiseWithResolvers<void>[] = []
  const look = new CoalescedRun(
    () => {
      looks.push(Promise.withResolvers())
      return looks.at(-1)!.promise
    },
    () => assert.fail('no look has failed'),
  )
  look.request()
  look.request()
  look.request()
  assert.equal(looks.length, 1)
  looks[0]!.resolve()
  await new Promise(setImmediate)
  assert.equal(looks.length, 2)
  looks[1]!.resolve()
  await new Promise(setImmediate)
  assert.equal(looks.length, 2)
  look.request()
  assert.equal(looks.length, 3)
})

test('a look that failed is told of, and the next one is taken', async () => {
  const told: unknown[] = []
  let failing = true
  let looked = 0
  const look = new CoalescedRun(
    async () => {
      if (failing) throw new Error('no database')
      looked += 1
    },
    error => told.push((error as Error).message),
  )
  look.request()
  await new Promise(setImmediate)
  assert.deepEqual(told, ['no database'])
  failing = false
  look.request()
  assert.equal(looked, 1)
})
