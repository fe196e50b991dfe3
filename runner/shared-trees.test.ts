import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runnerPrograms } from '../src/domain/runners/runner-programs.ts'
import { ensureSystemUsers } from '../src/platform/db/embedded/system-users.ts'
import { RunnerService } from '../tests/support/runner-service.ts'

const users = await ensureSystemUsers()
const data = mkdtempSync(join(tmpdir(), 'sluice-trees-'))
chmodSync(data, 0o711)
after(() => rmSync(data, { recursive: true, force: true }))

/** Above the size from which a tree is shared. */
const files = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`part${at % 7}/file${at}.txt`, `${at} `.repeat(4_000)]),
)
files['run.sh'] = '#!/bin/sh\necho ran\n'

async function withRunner<T>(
  start: Parameters<RunnerService['supervise']>[1],
  work: (service: RunnerService) => Promise<T>,
): Promise<T> {
  const service = new RunnerService(files, data)
  await service.listen()
  const runner = service.supervise({ killAfterMilliseconds: 500 }, start)
  try {
    return await work(service)
  } finally {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
  }
}

const whole = 'find part* -type f | wc -l; cat part0/file0.txt | cut -c1-4'

test('a large tree is unpacked whole, by the service’s own user too', async () => {
  await withRunner({}, async service => {
    assert.deepEqual((await service.finish({ run: whole })).text, ['300', '0 0 '])
  })
})

describe('started by root', { skip: users?.preparer === undefined && 'an ordinary user has no other users' }, () => {
  const trees = join(data, 'trees')
  const start = async () => {
    const { runner: runAs, preparer: prepareAs } = users!
    mkdirSync(trees, { recursive: true })
    chownSync(trees, 0, prepareAs!.gid)
    chmodSync(trees, 0o710)
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const program = await runnerPrograms(import.meta.dirname, data, runAs, log)
    return { runAs, prepareAs: prepareAs!, trees, program, hide: [data] }
  }
  const kept = () => readdirSync(trees).filter(name => /^[0-9a-f]{40}$/.test(name))

  test('a large tree is unpacked once, and what a step writes into its copy nobody else sees', async () => {
    const given = await start()
    for (const sandbox of [false, true, true])
      await withRunner({ ...given, sandbox }, async service => {
        const before = await service.finish({ run: whole })
        assert.deepEqual(before.text, ['300', '0 0 '], before.result.errorMessage ?? '')
        const write =
          'echo changed > part0/file0.txt; chmod -R u+w .; rm -r part1; echo new > new; id -un; stat -c %U part2'
        assert.deepEqual((await service.finish({ run: write })).text, [given.runAs.name, given.runAs.name])
        assert.equal(service.archivesAsked, kept().length === 1 && sandbox ? 0 : 1)
      })
    assert.equal(kept().length, 1)
    const [tree] = kept()
    assert.equal(readFileSync(join(trees, tree!, 'part0/file0.txt'), 'utf8').slice(0, 4), '0 0 ')
    assert.equal(statSync(join(trees, tree!, 'part0/file0.txt')).uid, given.prepareAs.uid)
  })

  test('a step cannot reach the kept tree, without a sandbox either', async () => {
    const { runAs } = await start()
    const tree = join(trees, kept()[0]!)
    for (const each of [
      `ls ${trees}`,
      `cat ${tree}/run.sh`,
      `echo planted > ${tree}/run.sh`,
      `ln ${tree}/run.sh /tmp/sluice-linked`,
      `echo > ${tree}.lock`,
    ]) {
      const { status } = spawnSync('/bin/sh', ['-c', each], { uid: runAs.uid, gid: runAs.gid })
      assert.notEqual(status, 0, each)
    }
  })

  test('many runners of a commit that begin at once unpack it once', async () => {
    const given = await start()
    rmSync(join(trees, kept()[0]!), { recursive: true })
    const seen = await Promise.all(
      Array.from({ length: 3 }, () => withRunner(given, async service => (await service.finish({ run: whole })).text)),
    )
    assert.deepEqual(seen, Array(3).fill(['300', '0 0 ']))
    assert.equal(kept().length, 1)
    assert.deepEqual(
      readdirSync(trees).filter(name => /\.(making|gone)$/.test(name)),
      [],
    )
  })

  test('the trees that were used last are kept', async () => {
    const given = await start()
    for (const digit of '0123456') {
      mkdirSync(join(trees, digit.repeat(40)))
      writeFileSync(join(trees, `${digit.repeat(40)}.lock`), '')
    }
    rmSync(join(trees, 'c'.repeat(40)), { recursive: true })
    await withRunner(given, async service => {
      await service.finish({ run: whole })
      while (kept().length > 5) await new Promise(resolve => setImmediate(resolve))
    })
    assert.ok(kept().includes('c'.repeat(40)))
  })
})
