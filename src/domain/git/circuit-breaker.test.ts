import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CircuitBreaker } from './circuit-breaker.ts'
import { GitFailure } from './git-failure.ts'

const fails = (message: string) => () => Promise.reject(new GitFailure(message, '', 128))
const answers = async () => 'there'

test('a host that hangs is tried by one every half a minute, and all others are told at once', async () => {
  let now = 0
  const hosts = new CircuitBreaker(() => now)
  await assert.rejects(hosts.ask('slow', fails('the remote said nothing for 60 s')), /said nothing/)
  await assert.rejects(hosts.ask('slow', answers), /slow has not answered.*said nothing for 60 s/)
  assert.equal(await hosts.ask('quick', answers), 'there')
  now += 30_000
  const trial = Promise.withResolvers<string>()
  const tried = hosts.ask('slow', () => trial.promise)
  await assert.rejects(hosts.ask('slow', answers), /has not answered/)
  trial.resolve('there again')
  assert.equal(await tried, 'there again')
  assert.equal(await hosts.ask('slow', answers), 'there')
})

test('a host that refuses has answered', async () => {
  const hosts = new CircuitBreaker()
  await assert.rejects(hosts.ask('strict', fails('Authentication failed')), /Authentication/)
  assert.equal(await hosts.ask('strict', answers), 'there')
})
