import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '#platform/failure.ts'
import { Turns } from './passwords.adapter.ts'

/** Resolves once all consequences of what has happened so far are done. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('the next one has their turn when the one before is over and has rested', async () => {
  const told: string[] = []
  const rests: (() => void)[] = []
  const turns = new Turns([0], () => new Promise<void>(resolve => rests.push(resolve)))
  const first = turns.take('a', async () => told.push('first'))
  const second = turns.take('a', async () => told.push('second'))
  await first
  await settled()
  assert.deepEqual({ told, rests: rests.length }, { told: ['first'], rests: 1 })
  rests.pop()!()
  await second
  assert.deepEqual(told, ['first', 'second'])
})

test('one that fails hands its turn on as well', async () => {
  const turns = new Turns([0])
  await assert.rejects(
    turns.take('a', async () => assert.fail('on purpose')),
    /on purpose/,
  )
  assert.equal(await turns.take('a', async () => 'next'), 'next')
})

test('more than a hundred of an address do not wait: they are told to come again, and others have their turn next', async () => {
  const turns = new Turns([0])
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 101 }, () => turns.take('flood', () => promise))
  const refused = await turns.take('flood', () => promise).catch((error: unknown) => error)
  assert.ok(refused instanceof Failure)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
  const told: string[] = []
  void waiting[1]!.then(() => told.push('the next of the flood'))
  const other = turns.take('other', async () => told.push('other'))
  void waiting[2]!.then(() => told.push('the one behind'))
  resolve()
  await Promise.all([...waiting, other])
  assert.deepEqual(told, ['the next of the flood', 'other', 'the one behind'])
})
