import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshClone, newUser, runInClone } from './bare-machine.ts'

/**
 * Where the service is an ordinary user's, its steps run as that user too, and nothing but the sandbox is between them and
 * its data. Whoever runs the tests as root has seen only the other way.
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
