import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCredentials } from './credentials.ts'

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`

test('a password may hold colons, and the scheme any case', () => {
  assert.deepEqual(readCredentials(basic('ann:a:b:')), { kind: 'basic', username: 'ann', password: 'a:b:' })
  assert.deepEqual(readCredentials('bearer abc'), { kind: 'bearer', token: 'abc' })
  assert.deepEqual(readCredentials(basic('ann:')), { kind: 'basic', username: 'ann', password: '' })
})

test('a user name is the same however a keyboard composes it', () => {
  assert.deepEqual(readCredentials(basic('Rene\u0301:x')), { kind: 'basic', username: 'Ren\u00e9', password: 'x' })
})

test('what is no credential is told from a wrong one only in words', () => {
  const not = [
    undefined,
    '',
    'Basic',
    'Basic !',
    'Digest x',
    basic('no colon'),
    basic(':x'),
    'Bearer a b',
    basic('a\0:b'),
  ]
  for (const header of [...not, basic(Buffer.from([0xff, 0x3a, 0x61]))])
    assert.equal(readCredentials(header).kind, 'none', String(header))
})
