import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { create } from 'tar'
import { runnerPrograms } from '../../src/domain/runners/drivers/process/runner-programs.adapter.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { RunnerService } from '../../tests/support/runner-service.ts'

/** Tests of installing what a repository's lock file names, by the npm of this host; nothing comes from a registry. */

const place = mkdtempSync(join(tmpdir(), 'sluice-npm-'))
after(() => rmSync(place, { recursive: true, force: true }))
/** Data of a service, which its steps cannot see, and beside it a folder for steps and tests. */
const [data, open] = [join(place, 'data'), join(place, 'open')]
for (const [folder, mode] of [
  [place, 0o711],
  [data, 0o711],
  [open, 0o777],
] as const) {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, mode)
}
/** Digests that the service's runners have reported. */
const digests = new Set<string>()
const users = await ensureSystemUsers()
const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())

const dependencies = { greeting: 'file:greeting' }
const files = {
  'package.json': JSON.stringify({ name: 'x', version: '1.0.0', dependencies, scripts: { install: 'touch ran' } }),
  'package-lock.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'x', version: '1.0.0', dependencies },
      greeting: { version: '1.0.0' },
      'node_modules/greeting': { resolved: 'greeting', link: true },
    },
  }),
  'greeting/package.json': JSON.stringify({
    name: 'greeting',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
  }),
  'greeting/index.js': "export const greeting = 'Hello'\n",
  'web/actions.ts':
    "import { action } from '@sluice/actions'\nimport { greeting } from 'greeting'\naction('greet', {}, step => step.log.info(greeting))\n",
}
const greet = { folder: 'web', bodies: [{ action: 'greet', module: 'web/actions.ts' }] }
const installed = 'npm ci: what the lock file names is installed'

type Start = Parameters<RunnerService['supervise']>[1]

/** Calls a function with a runner that works on these files, in a service of its own. */
async function withRunner<T>(
  given: Record<string, string>,
  start: Start,
  work: (service: RunnerService) => Promise<T>,
): Promise<T> {
  const service = new RunnerService(given, data, digests)
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

const messages = (lines: readonly (readonly [string, string, string])[]) => lines.map(([, , message]) => message)

/**
 * Options of runners that share a folder of their host, which only they can reach. `keptIn` is a folder of this test's
 * own.
 */
const sharing = (keptIn: string): Start => {
  const folder = join(data, keptIn)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { dependencies: { folder, key: 'a key' }, ...separated }
}

/** Start options of a service of an ordinary user: the sandbox separates the steps. */
const separated: Start = { sandbox: true, hide: [data] }
const archives = (keptIn: string) => readdirSync(join(data, keptIn)).filter(name => name.endsWith('.tar'))

test('is installed once for all steps of a runner, without its scripts, and by the next of the commit not again', async () => {
  const shared = sharing('kept')
  await withRunner(files, { npm, ...shared }, async service => {
    const ids = [service.run(greet), service.run(greet), service.run({ run: 'ls; test ! -e ran' })].map(
      each => each.stepId,
    )
    const results = await Promise.all(ids.map(id => service.result(id)))
    assert.deepEqual(
      results.map(({ errorMessage }) => errorMessage),
      [null, null, null],
    )
    const all = ids.flatMap(id => messages(service.lines(id)))
    assert.equal(all.filter(line => line === installed).length, 1)
    assert.equal(all.filter(line => line === 'Hello').length, 2)
  })
  assert.equal(archives('kept').length, 1)
  await withRunner(files, shared, async service => {
    const { lines, result } = await service.finish(greet)
    assert.deepEqual([result.errorMessage, messages(lines)], [null, ['Hello']])
  })
})

test('is had anew where what was kept is damaged, or is not what a runner has kept', async () => {
  const shared = sharing('changed')
  const said = () =>
    withRunner(files, { npm, ...shared }, async service =>
      messages((await service.finish(greet)).lines).filter(line => line === installed || line === 'Hello'),
    )
  assert.deepEqual(await said(), [installed, 'Hello'])
  const file = join(data, 'changed', archives('changed')[0]!)
  const right = readFileSync(file)
  const planted = mkdtempSync(join(place, 'planted-'))
  mkdirSync(join(planted, 'node_modules/greeting'), { recursive: true })
  writeFileSync(join(planted, 'node_modules/greeting/package.json'), files['greeting/package.json'])
  writeFileSync(join(planted, 'node_modules/greeting/index.js'), "export const greeting = 'Planted'\n")
  await create({ cwd: planted, file: join(planted, 'planted.tar') }, ['node_modules'])
  for (const bytes of [
    readFileSync(join(planted, 'planted.tar')),
    Buffer.from('damaged'),
    right.subarray(0, 1_024),
    Buffer.alloc(0),
  ]) {
    writeFileSync(file, bytes)
    assert.deepEqual(await said(), [installed, 'Hello'])
    assert.deepEqual(await said(), ['Hello'])
  }
})

test('is not had from a step whose environment tells npm something else', async () => {
  const shared = sharing('environments')
  const inject = join(place, 'inject.cjs')
  writeFileSync(
    inject,
    `require('node:process').on('exit', () => {
       const fs = require('node:fs')
       if (!process.argv[1]?.includes('npm')) return
       fs.rmSync('node_modules/greeting', { recursive: true, force: true })
       fs.mkdirSync('node_modules/greeting', { recursive: true })
       fs.writeFileSync('node_modules/greeting/package.json', '{"name":"greeting","type":"module","exports":"./index.js"}')
       fs.writeFileSync('node_modules/greeting/index.js', "export const greeting = 'Planted'")
     })`,
  )
  const env = { NODE_OPTIONS: `--require ${inject}` }
  const greeted = (step: object) =>
    withRunner(files, { npm, ...shared }, async service =>
      messages((await service.finish({ ...greet, ...step })).lines).at(-1),
    )
  assert.equal(await greeted({ env }), 'Planted')
  assert.equal(await greeted({}), 'Hello')
  assert.equal(archives('environments').length, 2)
})

test('is kept without what others that were killed over keeping theirs have left', async () => {
  const shared = sharing('beside')
  const [left, underWay] = ['a.tar.7.making', 'b.tar.8.making'].map(name => join(data, 'beside', name)) as [
    string,
    string,
  ]
  for (const file of [left, underWay]) writeFileSync(file, 'half of it')
  const yesterday = Date.now() / 1_000 - 24 * 3_600
  utimesSync(left, yesterday, yesterday)
  await withRunner(files, { npm, ...shared }, service => service.finish(greet))
  assert.deepEqual(
    readdirSync(join(data, 'beside')).filter(name => !name.endsWith('.tar')),
    ['b.tar.8.making'],
  )
})

test('is installed by each runner for itself where steps have no sandbox and the service no other user', async () => {
  const shared = { ...sharing('never'), sandbox: false }
  for (let runner = 0; runner < 2; runner++)
    await withRunner(files, { npm, ...shared }, async service => {
      const said = messages((await service.finish(greet)).lines)
      assert.deepEqual([said[0], said.at(-1)], [installed, 'Hello'])
    })
  assert.deepEqual(readdirSync(join(data, 'never')), [])
})

test('of packages in several folders is kept in all of them', async () => {
  const folders = {
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', workspaces: ['parts/*'] }),
    'parts/one/package.json': JSON.stringify({ name: 'one', version: '1.0.0' }),
    'package-lock.json': JSON.stringify({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'x', version: '1.0.0', workspaces: ['parts/*'] },
        'node_modules/one': { resolved: 'parts/one', link: true },
        'parts/one': { name: 'one', version: '1.0.0' },
      },
    }),
  }
  const shared = sharing('workspaces')
  for (const start of [{ npm, ...shared }, shared])
    await withRunner(folders, start, async service => {
      const { text, result } = await service.finish({ run: 'readlink node_modules/one; ls parts' })
      assert.deepEqual([result.errorMessage, text.slice(-2)], [null, ['../parts/one', 'one']])
    })
})

describe('started by root', { skip: users?.preparer === undefined && 'an ordinary user has no other users' }, () => {
  test('is out of reach of every step, without a sandbox too, while it is installed and kept', async () => {
    const program = await runnerPrograms(join(import.meta.dirname, '..'), data, users!.runner, {
      info: () => {},
      warn: () => {},
      error: () => {},
    })
    const { runner: runAs, preparer: prepareAs } = users!
    const shared = { ...sharing('apart'), sandbox: false, runAs, prepareAs: prepareAs!, program }
    chmodSync(join(data, 'apart'), 0o700)
    // It says that it is there, and waits until it is let go.
    const slow = join(open, 'slow-npm.js')
    const [begun, go] = [join(open, 'begun'), join(open, 'let-go')]
    writeFileSync(
      slow,
      `const fs = require('node:fs')
fs.mkdirSync('node_modules/greeting', { recursive: true })
fs.writeFileSync('${begun}', process.cwd())
const wait = setInterval(() => {
  if (!fs.existsSync('${go}')) return
  clearInterval(wait)
  fs.rmSync('node_modules', { recursive: true })
  require('${npm}')
}, 10)
`,
    )
    chmodSync(slow, 0o644)
    await withRunner(files, { npm: slow, ...shared }, async service => {
      const { stepId } = service.run(greet)
      await service.until(() => service.lines(stepId).length > 0)
      while (!existsSync(begun) || readFileSync(begun, 'utf8') === '')
        await new Promise(resolve => setImmediate(resolve))
      const copy = readFileSync(begun, 'utf8')
      assert.equal(statSync(copy).uid, prepareAs!.uid)
      const tries = [
        `echo planted > ${copy}/node_modules/greeting/index.js`,
        `ls ${copy}`,
        `for p in /proc/[0-9]*; do [ "$(stat -c %u $p)" = ${prepareAs!.uid} ] && ls $p/cwd/ $p/root/; done; false`,
        `ls ${join(data, 'apart')}`,
        `kill -STOP $(ps -o pid= -u ${prepareAs!.uid})`,
      ]
      for (const each of tries) {
        const { status } = spawnSync('/bin/bash', ['-c', each], { uid: runAs.uid, gid: runAs.gid })
        assert.notEqual(status, 0, each)
      }
      writeFileSync(go, '')
      assert.equal((await service.result(stepId)).errorMessage, null)
      assert.equal(messages(service.lines(stepId)).at(-1), 'Hello')
    })
    await withRunner(files, shared, async service => {
      assert.deepEqual(messages((await service.finish(greet)).lines), ['Hello'])
    })
  })
})

test('that was stopped in the middle is begun anew by the next step', async () => {
  // Says that it is there, and does nothing until it is let go.
  const slow = join(place, 'slow-npm.js')
  writeFileSync(
    slow,
    `const fs = require('node:fs')
if (fs.existsSync('${place}/go')) require('${npm}')
else { fs.mkdirSync('node_modules/half', { recursive: true }); console.log('begun'); setInterval(() => {}, 1000) }
`,
  )
  await withRunner(files, { npm: slow }, async service => {
    const first = service.run({ ...greet, timeoutSeconds: 1 })
    assert.match((await service.result(first.stepId)).errorMessage!, /timed out after 1 s/)
    writeFileSync(join(place, 'go'), '')
    const { result, lines } = await service.finish(greet)
    assert.equal(result.errorMessage, null, messages(lines).join('\n'))
    assert.equal(messages(lines).at(-1), 'Hello')
  })
})

test('fails the step in words where the lock file is broken, and where there is no npm', async () => {
  const broken = { ...files, 'package-lock.json': '{ "name": ' }
  const why = await withRunner(broken, { npm }, async service => (await service.finish(greet)).result.errorMessage)
  assert.match(why!, /^npm ci failed \(exit code 1\): .*(package-lock\.json|JSON|lock)/i)
  const none = await withRunner(files, {}, async service => (await service.finish(greet)).result.errorMessage)
  assert.equal(
    none,
    'The repository has a lock file of npm, and there is no npm on this host which could install what it names.',
  )
})

test('is nobody’s business in a repository without a lock file, or with its packages in it', async () => {
  const { 'package-lock.json': _, ...without } = files
  const brought = {
    ...files,
    'node_modules/greeting/package.json': files['greeting/package.json'],
    'node_modules/greeting/index.js': "export const greeting = 'Brought'\n",
  }
  for (const [given, said] of [
    [without, ['a']],
    [brought, ['a']],
  ] as const)
    await withRunner(given, { npm }, async service => {
      assert.deepEqual(messages((await service.finish({ run: 'echo a' })).lines), said)
    })
})
