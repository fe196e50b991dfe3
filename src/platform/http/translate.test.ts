import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate } from './translate.ts'

const told = (code: string, message: string) => {
  const failure = translate(Object.assign(new Error(message), { code }), { reads: false, bodyLimit: 1 })
  return failure && [failure.status, failure.faults[0].detail, failure.headers['retry-after']]
}

test('a database whose disk is full is unavailable, and says that somebody has to make room', () => {
  assert.deepEqual(told('53100', 'could not extend file "base/16386/17561": No space left on device'), [
    503,
    'The disk of the database is full: somebody has to make room. Nothing is half-done; ask again then.',
    '30',
  ])
})

test('an error that nobody foresaw is a bug, and is not told', () => {
  assert.equal(told('42703', 'column "nope" does not exist'), undefined)
})
