import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { Failure } from '../failure.ts'
import { UserLimits } from './user-limits.ts'

const socket = () => new EventEmitter() as Socket

const refusal = (work: () => void): Failure | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error
  }
}

test('a user who has sent what a minute allows is told when to come again, and others are not', () => {
  const limits = new UserLimits({ requestsPerMinute: 3, connections: 10 })
  const own = socket()
  const ask = (user: string, now: number) => refusal(() => limits.admit(user, own, now))
  assert.deepEqual(
    [0, 10_000, 20_000].map(now => ask('ada', now)),
    [undefined, undefined, undefined],
  )
  const refused = ask('ada', 20_500)
  assert.equal(refused?.status, 429)
  assert.equal(refused?.headers['retry-after'], '40')
  assert.equal(ask('bob', 20_500), undefined)
  assert.equal(ask('ada', 60_000), undefined)
})

test('without a limit nobody is counted', () => {
  const limits = new UserLimits({ connections: 1 })
  const own = socket()
  for (let request = 0; request < 10_000; request++) limits.admit('ada', own, 0)
})

test('connections count for who speaks on them, until they close', () => {
  const limits = new UserLimits({ connections: 2 })
  const [first, second, third] = [socket(), socket(), socket()]
  for (const each of [first, second, first]) limits.admit('ada', each)
  const refused = refusal(() => limits.admit('ada', third))
  assert.deepEqual([refused?.status, refused?.headers['connection']], [429, 'close'])
  limits.admit('bob', second)
  limits.admit('ada', third)
  assert.equal(refusal(() => limits.admit('ada', second))?.status, 429)
  third.emit('close')
  limits.admit('ada', second)
})
