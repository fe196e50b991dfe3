import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureSystemUsers } from '#platform/db/embedded/system-users.ts'
import { findBubblewrap } from '../../../../../runner/sandbox/sandbox.ts'
import { stepIsolation } from './step-isolation.adapter.ts'

const users = await ensureSystemUsers()
const folder = mkdtempSync(join(tmpdir(), 'sluice-isolation-'))
chmodSync(folder, 0o711)
after(() => rmSync(folder, { recursive: true }))

test('what separates steps is what the sandbox answers for the user of the steps', async () => {
  const runAs = users?.runner
  assert.deepEqual(await stepIsolation({ runAs, hide: [folder] }), {
    sandboxed: findBubblewrap() !== undefined,
    ownUser: users !== undefined,
  })
})

test('where the sandbox is refused, the warning says why and what each step can do', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o000 })
  const isolation = await stepIsolation({ runAs: users?.runner, hide: [join(closed, 'data')] })
  assert.equal(isolation.sandboxed, false)
  assert.match(isolation.warning!, /^Steps run without a sandbox \(bwrap: .*\)\. They /)
  const can = users
    ? /all run as the user sluice-run: each step can read and change the files and processes of all other steps/
    : /run as the service itself: each step can read and change the files of the service/
  assert.match(isolation.warning!, can)
})
