import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { runnerPrograms } from '../../src/domain/runners/drivers/process/runner-programs.adapter.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { RunnerService } from '../../tests/support/runner-service.ts'
import { SharedTrees } from './shared-trees.ts'

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
    const program = await runnerPrograms(join(import.meta.dirname, '..'), data, runAs, log)
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
  })

  for (const [sharesBlocks, kind] of [
    [true, 'folder'],
    [false, 'archive'],
  ] as const)
    test(`a tree that is kept as ${kind} is complete in each copy, and a write into one changes no other`, async () => {
      const { runAs, prepareAs } = await start()
      const folder = join(data, `trees-${kind}`)
      mkdirSync(folder)
      chownSync(folder, 0, prepareAs.gid)
      chmodSync(folder, 0o710)
      const work = mkdtempSync(join(data, 'work-'))
      chownSync(work, runAs.uid, runAs.gid)
      const place = { folder, preparer: prepareAs, steps: runAs, env: { PATH: '/usr/bin:/bin' } }
      const shared = new SharedTrees(place, async () => sharesBlocks)
      const [commit, service] = ['c'.repeat(40), new RunnerService(files, data)]
      await shared.make(commit, Readable.from([await service.archive]))
      assert.equal(statSync(join(folder, commit)).isDirectory(), kind === 'folder')
      for (const name of ['first', 'second', 'second']) {
        const copy = join(work, name)
        assert.equal(await shared.copy(commit, copy), true)
        const asSteps = { cwd: copy, uid: runAs.uid, gid: runAs.gid, encoding: 'utf8' } as const
        const looking = `${whole}; stat -c '%a %U %Y' run.sh part0/file0.txt part0; ls -A | sort`
        const seen = execFileSync('/bin/sh', ['-c', looking], asSteps)
        const { name: user } = runAs
        assert.match(seen, new RegExp(`^300\n0 0 \n(?:[67][0-7]{2} ${user} \\d+\n){3}README.md\n`))
        const writing = 'echo changed > part0/file0.txt; touch -d @0 run.sh; rm -r part1; echo new > new'
        execFileSync('/bin/sh', ['-c', writing], asSteps)
      }
      assert.equal(await shared.copy('d'.repeat(40), join(work, 'other')), false)
      await service.tidy()
    })

  test('a step cannot reach the kept tree, without a sandbox either', async () => {
    const { runAs } = await start()
    const tree = join(trees, kept()[0]!)
    for (const each of [
      `ls ${trees}`,
      `cat ${tree}`,
      `echo planted > ${tree}`,
      `rm ${tree}`,
      `ln ${tree} /tmp/sluice-linked`,
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
