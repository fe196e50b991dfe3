import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnRequest, readSession, shownUserAgent } from './session.ts'

test('the session is found among other cookies, and an empty one is none', () => {
  assert.equal(readSession('theme=dark; __Host-sluice-session=abc;x=y'), 'abc')
  assert.equal(readSession('theme=__Host-sluice-session=abc'), undefined)
  assert.equal(readSession('__Host-sluice-session='), undefined)
  assert.equal(readSession(undefined), undefined)
})

test('of a browser’s name 255 characters are kept, without control characters', () => {
  assert.equal(shownUserAgent(' Mozilla/5.0\t(X11)\u0000\u009b31m\r\n '), 'Mozilla/5.0(X11)31m')
  assert.equal(shownUserAgent('é'.repeat(300)), 'é'.repeat(255))
  for (const nothing of [undefined, '', ' \t']) assert.equal(shownUserAgent(nothing), undefined)
})

test('whatever may write needs the token, whole and alone', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.ok(isOwnRequest(method, undefined, 'right'))
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE', 'PROPFIND']) {
    assert.ok(isOwnRequest(method, 'right', 'right'))
    for (const given of [undefined, '', 'righ', 'right ', 'wrong', ['right', 'right']])
      assert.ok(!isOwnRequest(method, given, 'right'), String(given))
  }
})
