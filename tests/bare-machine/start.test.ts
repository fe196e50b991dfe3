import assert from 'node:assert/strict'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { RunAs } from '../../src/platform/db/embedded/run-program.ts'
import { freshClone, newUser, processesIn, runInClone } from './bare-machine.ts'

/**
 * A newcomer's first steps on a machine with Git, npm and Node 20 or newer: from a fresh clone to a change that has
 * run. Run as root it is tested for root and for a new ordinary user, otherwise for the current user.
 */
const isRoot = process.getuid?.() === 0

if (isRoot) {
  // Concurrently, because they wait for the registry most of the time.
  describe('from a fresh clone', { concurrency: true }, () => {
    test('root starts it, without a HOME, and the demo runs through', t => prove(t, undefined, undefined))
    test('a new user starts it, with an empty HOME, and the demo runs through', t => {
      const { user, home } = newUser(t)
      return prove(t, user, home)
    })
  })
} else {
  test('an ordinary user starts a fresh clone, without a HOME, and the demo runs through', t =>
    prove(t, undefined, undefined))
}

async function prove(t: TestContext, user: RunAs | undefined, home: string | undefined): Promise<void> {
  const clone = freshClone(user, home)
  assert.ok(clone.folder.length >= 120)
  const folders = [clone.folder]
  t.after(() => {
    clone.remove()
    for (const folder of folders.slice(1)) rmSync(folder, { recursive: true, force: true })
  })

  const demo = await runInClone(clone, 'bin/start', ['--demo', '--exit'])
  const elsewhere = /^Data are kept in (\S+):/m.exec(demo.text)?.[1]
  if (elsewhere) folders.push(elsewhere)
  assert.equal(demo.code, 0, demo.text)
  assert.match(demo.text, /^Sluice is ready on http:\/\/127\.0\.0\.1:\d+ /m)
  assert.match(demo.text, /^ {2}superuser {2}admin$/m)
  assert.equal(
    elsewhere !== undefined,
    isRoot && user === undefined,
    'data move exactly when their users could not enter',
  )
  assert.equal(statSync(elsewhere ?? join(clone.folder, 'data')).mode & 0o066, 0, 'nobody else reads the data')

  const again = await runInClone(clone, 'bin/start', [], 'Sluice is ready on')
  assert.equal(again.code, 0, again.text)
  assert.match(again.text, /^Sluice is ready on/m)
  assert.doesNotMatch(again.text, /password/, 'the password is shown once')
  assert.deepEqual(processesIn(folders), [], 'nothing is left running')
}
