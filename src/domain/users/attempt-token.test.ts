import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { attemptToken, looksLikeAttemptToken, readAttemptToken } from './attempt-token.ts'

const keyringOf = (secret: string) => ({
  mac: (purpose: string, bytes: Uint8Array | string) =>
    createHmac('sha256', `${secret} ${purpose}`).update(bytes).digest(),
})
const keyring = keyringOf('ours')
const about = {
  userId: '01900000-0000-7000-8000-00000000000a',
  stepId: '01900000-0000-7000-8000-00000000000b',
  fence: 9_007_199_254_740_991,
  minutes: 240,
}

test('a step’s token says again what it was made for', () => {
  const token = attemptToken(keyring, about)
  assert.match(token, /^sluice_attempt_[\w-]{102}$/)
  assert.ok(looksLikeAttemptToken(token))
  assert.deepEqual(readAttemptToken(keyring, token), about)
})

test('one that was changed anywhere, cut, lengthened or made elsewhere is none', () => {
  const token = attemptToken(keyring, about)
  for (let at = 'sluice_attempt_'.length; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    assert.equal(readAttemptToken(keyring, token.slice(0, at) + other + token.slice(at + 1)), undefined, `at ${at}`)
  }
  for (const wrong of [token.slice(0, -1), `${token}A`, `${token}=`, 'sluice_attempt_'])
    assert.equal(readAttemptToken(keyring, wrong), undefined, wrong)
  assert.equal(readAttemptToken(keyringOf('another’s'), token), undefined)
})
