import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fateOf, isSentAgain } from './fate.ts'
import { Refused, Unreachable } from './refused.ts'

const failed = (cause: object) => new Unreachable('x', { cause: new TypeError('fetch failed', { cause }) })

test('what was sent nowhere is told from what may have been done, and both from what will not pass', () => {
  const refused = { code: 'ECONNREFUSED', syscall: 'connect', message: '' }
  assert.equal(fateOf(failed(refused)), 'unsent')
  assert.equal(fateOf(failed({ code: 'ECONNREFUSED', errors: [refused, refused] })), 'unsent', 'of a name with two')
  assert.equal(fateOf(failed({ code: 'ETIMEDOUT', syscall: 'connect' })), 'unsent')
  assert.equal(fateOf(failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })), 'unsent')
  assert.equal(fateOf(failed({ code: 'ECONNRESET', syscall: 'read' })), 'broken')
  assert.equal(fateOf(failed({ code: 'UND_ERR_SOCKET' })), 'broken')
  assert.equal(fateOf(failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })), 'decided')
  assert.equal(fateOf(failed({ code: 'EPROTO', syscall: 'write' })), 'decided', 'TLS with who speaks none')
})

test('of answers only those that say nothing of the request are none', () => {
  const answered = (status: number, code?: string) =>
    fateOf(new Refused('POST', '/api/changes', status, [code === undefined ? { detail: 'x' } : { code }]))
  assert.equal(answered(503), 'put off')
  assert.deepEqual(
    [answered(503, 'unavailable'), answered(502), answered(429, 'too-many-requests')],
    Array(3).fill('later'),
  )
  assert.equal(answered(409, 'key-in-flight'), 'later')
  assert.deepEqual([answered(409, 'wrong-state'), answered(500, 'bug'), answered(404)], Array(3).fill('decided'))
})

test('what was sent nowhere is sent again where somebody was there before; what may be done, where that does no harm', () => {
  const nothing = { isHarmless: false, hasAnswered: false, hasBroken: false }
  const harmless = { ...nothing, isHarmless: true }
  assert.equal(isSentAgain('unsent', harmless), false)
  assert.equal(isSentAgain('unsent', { ...nothing, hasAnswered: true }), true)
  assert.equal(isSentAgain('unsent', { ...harmless, hasBroken: true }), true)
  assert.deepEqual(
    [isSentAgain('broken', harmless), isSentAgain('broken', { ...nothing, hasAnswered: true })],
    [true, false],
  )
  assert.deepEqual(
    [isSentAgain('later', { ...harmless, hasBroken: true }), isSentAgain('later', harmless)],
    [true, false],
  )
  assert.equal(isSentAgain('decided', { isHarmless: true, hasAnswered: true, hasBroken: true }), false)
})
