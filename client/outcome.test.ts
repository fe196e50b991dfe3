import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRetried, outcomeOf } from './outcome.ts'
import { Refused, Unreachable } from './refused.ts'

const failed = (cause: object) => new Unreachable('x', { cause: new TypeError('fetch failed', { cause }) })

test('what was sent nowhere is told from what may have been done, and both from what will not pass', () => {
  const refused = { code: 'ECONNREFUSED', syscall: 'connect', message: '' }
  assert.equal(outcomeOf(failed(refused)), 'not-sent')
  assert.equal(
    outcomeOf(failed({ code: 'ECONNREFUSED', errors: [refused, refused] })),
    'not-sent',
    'of a name with two',
  )
  assert.equal(outcomeOf(failed({ code: 'ETIMEDOUT', syscall: 'connect' })), 'not-sent')
  assert.equal(outcomeOf(failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })), 'not-sent')
  assert.equal(outcomeOf(failed({ code: 'ECONNRESET', syscall: 'read' })), 'connection-lost')
  assert.equal(outcomeOf(failed({ code: 'UND_ERR_SOCKET' })), 'connection-lost')
  assert.equal(outcomeOf(failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })), 'final')
  assert.equal(outcomeOf(failed({ code: 'EPROTO', syscall: 'write' })), 'final', 'TLS with who speaks none')
})

test('a connection that a browser lost is recognized by its message, of any realm', () => {
  const messages = [
    'Failed to fetch',
    'network error',
    'NetworkError when attempting to fetch resource.',
    'Error in input stream',
    'Load failed',
    'The network connection was lost.',
    'The Internet connection appears to be offline.',
  ]
  for (const message of messages) {
    const ofFrame = Object.assign(new Error(message), { name: 'TypeError' })
    for (const cause of [new TypeError(message), ofFrame])
      assert.equal(outcomeOf(new Unreachable('x', { cause })), 'connection-lost', message)
  }
  const faulty = [
    new TypeError("Failed to execute 'fetch' on 'Window': Failed to parse URL from http://"),
    new TypeError('Headers.append: "ä" is an invalid header value.'),
    Object.assign(new Error('Failed to fetch'), { name: 'AbortError' }),
  ]
  for (const cause of faulty) assert.equal(outcomeOf(new Unreachable('x', { cause })), 'final', cause.message)
})

test('of answers only those that say nothing of the request are none', () => {
  const answered = (status: number, code?: string) =>
    outcomeOf(new Refused('POST', '/api/changes', status, [code === undefined ? { detail: 'x' } : { code }]))
  assert.equal(answered(503), 'shutting-down')
  assert.deepEqual(
    [answered(503, 'unavailable'), answered(502), answered(429, 'too-many-requests')],
    Array(3).fill('retry-later'),
  )
  assert.equal(answered(409, 'key-in-flight'), 'retry-later')
  assert.deepEqual([answered(409, 'wrong-state'), answered(500, 'bug'), answered(404)], Array(3).fill('final'))
})

test('what was sent nowhere is sent again where somebody was there before; what may be done, where that does no harm', () => {
  const nothing = { isIdempotent: false, hasResponded: false, hasLostConnection: false }
  const idempotent = { ...nothing, isIdempotent: true }
  assert.equal(isRetried('not-sent', idempotent), false)
  assert.equal(isRetried('not-sent', { ...nothing, hasResponded: true }), true)
  assert.equal(isRetried('not-sent', { ...idempotent, hasLostConnection: true }), true)
  assert.deepEqual(
    [isRetried('connection-lost', idempotent), isRetried('connection-lost', { ...nothing, hasResponded: true })],
    [true, false],
  )
  assert.deepEqual(
    [isRetried('retry-later', { ...idempotent, hasLostConnection: true }), isRetried('retry-later', idempotent)],
    [true, false],
  )
  assert.equal(isRetried('final', { isIdempotent: true, hasResponded: true, hasLostConnection: true }), false)
})
