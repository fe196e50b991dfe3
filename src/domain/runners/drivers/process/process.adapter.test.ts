import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureSystemUsers } from '#platform/db/embedded/system-users.ts'
import { openProcessDriver } from './process.adapter.ts'

const users = await ensureSystemUsers()
const folder = mkdtempSync(join(tmpdir(), 'sluice-runners-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the folder of a runner is removed whatever modes its steps have left, and what they link to stays', async () => {
  const runAs = users?.runner
  const outside = join(folder, 'outside')
  mkdirSync(outside, { mode: 0o700 })
  const driver = openProcessDriver({
    folder: join(folder, 'runners'),
    serviceUrl: () => 'http://127.0.0.1:1',
    hide: [],
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...(runAs && { runAs }),
  })
  const leaving = [
    'mkdir -p home/go/pkg/mod/a/b && touch home/go/pkg/mod/a/b/c && chmod -R a-w home',
    'mkdir -p a/b/c && touch a/b/c/d && chmod 000 a/b/c a/b a',
    `mkdir -p x && ln -s ${outside} x/out && ln -s ${outside} out && chmod 500 x`,
  ]
  for (const [i, run] of leaving.entries()) {
    const id = `01a20000-0000-7000-8000-00000000000${i}`
    const work = join(folder, 'runners', id, 'work')
    mkdirSync(work, { recursive: true, mode: 0o711 })
    chmodSync(folder, 0o711)
    if (runAs) chownSync(work, runAs.uid, runAs.gid)
    execFileSync('sh', ['-c', run], { cwd: work, ...(runAs && { uid: runAs.uid, gid: runAs.gid }) })
    assert.equal(await driver.remove(id), 'removed', run)
    assert.equal(existsSync(join(folder, 'runners', id)), false, run)
  }
  assert.ok(existsSync(outside))
})

test('a link that a step has put in the place of its folder goes, and what it links to stays', async () => {
  const precious = join(folder, 'precious')
  mkdirSync(precious)
  writeFileSync(join(precious, 'file'), '')
  const driver = openProcessDriver({
    folder: join(folder, 'runners'),
    serviceUrl: () => 'http://127.0.0.1:1',
    hide: [],
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const runner = join(folder, 'runners/01a20000-0000-7000-8000-00000000000a')
  mkdirSync(runner)
  symlinkSync(precious, join(runner, 'work'))
  assert.equal(await driver.remove('01a20000-0000-7000-8000-00000000000a'), 'removed')
  assert.equal(existsSync(runner), false)
  assert.ok(existsSync(join(precious, 'file')))
})
