import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitFailure } from './git-failure.ts'
import { gitProgram } from './git-program.adapter.ts'

const program = gitProgram({ home: '/nonexistent', protocols: [], environment: { PATH: process.env['PATH']! } })
/** Runs a shell script in git's place. */
const says = (script: string) => program.run({ args: ['-c', `alias.say=!${script}`, 'say'] })

test('what git says can be stored, whatever a server has it say', async () => {
  await assert.rejects(says(`printf 'remote: a\\0b\\n' >&2; exit 1`), (error: GitFailure) => {
    assert.equal(error.message, 'remote: a\u2400b')
    assert.equal(error.output, 'remote: a\u2400b')
    return true
  })
})

test('git that never stops writing is ended', async () => {
  assert.equal((await says(`head -c 60000000 /dev/zero`)).length, 60_000_000)
  await assert.rejects(says('yes'), (error: Error) => {
    assert.ok(error instanceof GitFailure)
    assert.equal(error.message, 'git wrote more than 64 MiB')
    return true
  })
})
