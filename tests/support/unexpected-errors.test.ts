import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/main/log.ts'
import { unexpectedErrors } from './unexpected-errors.ts'

const logOf = (...errors: Error[]) => {
  const lines: string[] = []
  const log = openLog('info', { write: line => void lines.push(line) })
  for (const err of errors) log.error({ err, loop: 'git.periodic_fetch' }, 'loop iteration failed; the loop continues')
  return lines
}
const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

test('a statement that cannot work and a slip in the code are unexpected, and told with their loop', () => {
  const bugs = [
    withCode('more than one row returned by a subquery used as an expression', '21000'),
    withCode('column "p" does not exist', '42703'),
    new TypeError('x is not a function'),
  ]
  const found = unexpectedErrors(logOf(...bugs))
  assert.equal(found.length, bugs.length)
  for (const [at, bug] of bugs.entries()) {
    assert.ok(found[at]!.startsWith('loop iteration failed; the loop continues, git.periodic_fetch: '), found[at])
    assert.ok(found[at]!.includes(bug.message), found[at])
  }
})

test('a database that is away, a deadlock and a remote that is down are expected, and so is what a test does on purpose', () => {
  class GitFailure extends Error {}
  const expected = [
    withCode('terminating connection due to administrator command', '57P01'),
    withCode('deadlock detected', '40P01'),
    withCode('connect ECONNREFUSED', 'ECONNREFUSED'),
    new GitFailure('could not be fetched'),
    new Error('the service stops'),
  ]
  assert.deepEqual(unexpectedErrors(logOf(...expected)), [])
  assert.deepEqual(unexpectedErrors(logOf(new Error('planted')), [/planted/]), [])
})

test('what is no whole line of a log is passed over, as one of a service that was killed', () => {
  assert.deepEqual(unexpectedErrors(['Sluice is ready', '{"level":"error","err":{"mess', '']), [])
})
