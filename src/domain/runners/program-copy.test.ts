import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureSystemUsers } from '#platform/db/embedded/system-users.ts'
import { projectFolder } from '../../../tests/support/database-server.ts'
import { RunnerService } from '../../../tests/support/runner-service.ts'
import { programWithinReach } from './program-copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
const service = new RunnerService({
  'actions.ts': "import { action } from '@sluice/actions'\naction('whoami', {}, step => step.exec('id', ['-un']))\n",
})
after(async () => {
  await service.tidy()
  rmSync(folder, { recursive: true, force: true })
})
const log = { info: () => {}, warn: () => {}, error: () => {} }

/** The programs below a folder that only this user can enter, as in a clone below /root. */
function closedClone(): string {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  for (const part of ['runner', 'actions']) cpSync(join(projectFolder, part), join(closed, part), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(closed, 'node_modules'))
  return join(closed, 'runner')
}

test('a user who cannot reach the programs of the runners gets a copy that works, others use them where they are', async () => {
  chmodSync(folder, 0o711)
  const users = await ensureSystemUsers()
  const runners = join(folder, 'runners')
  mkdirSync(runners, { mode: 0o711 })
  const clone = closedClone()
  if (!users) {
    const { uid, gid } = userInfo()
    assert.equal(await programWithinReach(clone, runners, { uid, gid }, log), undefined)
    return
  }
  const [first, second] = await Promise.all([1, 2].map(() => programWithinReach(clone, runners, users.runner, log)))
  assert.deepEqual(first, second)
  await service.listen()
  service.spawn({ program: first!, runAs: users.runner })
  const { text } = await service.finish({ run: 'id -un; ls' })
  assert.deepEqual(text, ['sluice-run', 'README.md', 'actions.ts'])
  const program = await service.finish({ bodies: [{ action: 'whoami', module: 'actions.ts' }] })
  assert.deepEqual(program.text, ['sluice-run'])
})
