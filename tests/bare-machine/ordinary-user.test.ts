import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshClone, newUser, runInClone } from './bare-machine.ts'

/**
 * If the service runs as an ordinary user, its steps run as that user too, and only the sandbox separates them from its
 * data. Test runs as root only cover the other case.
 */
const files = [
  'runner/sandbox/sandbox.test.ts',
  'runner/runner.test.ts',
  'runner/bodies/module-body.test.ts',
  'src/domain/runners/drivers/process/runner-programs.adapter.test.ts',
]

test('the tests of runners and their sandbox pass for an ordinary user', {
  skip: process.getuid?.() !== 0 && 'run by an ordinary user themselves',
}, async t => {
  const { user, home } = newUser(t)
  const clone = freshClone(user, home)
  t.after(() => clone.remove())
  const { code, text } = await runInClone(clone, 'bin/test', files)
  assert.equal(code, 0, text)
})
