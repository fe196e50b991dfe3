import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { list } from 'tar'
import { RunnerService } from '../tests/support/runner-service.ts'
import { keepDependencies } from './dependencies.ts'

/** What a repository's lock file names is installed by the npm of this host; nothing here comes from a registry. */

const place = mkdtempSync(join(tmpdir(), 'sluice-npm-'))
after(() => rmSync(place, { recursive: true, force: true }))
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

/** What a runner does with these files, in a service of its own. */
async function withRunner<T>(
  given: Record<string, string>,
  start: { npm?: string; dependencies?: string },
  work: (service: RunnerService) => Promise<T>,
): Promise<T> {
  const service = new RunnerService(given)
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

test('is installed once for all steps of a runner, without its scripts, and by the next of the commit not again', async () => {
  const kept = join(place, 'kept')
  await withRunner(files, { npm, dependencies: kept }, async service => {
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
  assert.equal(readdirSync(kept).length, 1)
  await withRunner(files, { dependencies: kept }, async service => {
    const { lines, result } = await service.finish(greet)
    assert.deepEqual([result.errorMessage, messages(lines)], [null, ['Hello']])
  })
  // What was damaged is had anew.
  writeFileSync(join(kept, readdirSync(kept)[0]!), 'damaged')
  await withRunner(files, { npm, dependencies: kept }, async service => {
    assert.deepEqual(
      messages((await service.finish(greet)).lines).filter(line => line === 'Hello'),
      ['Hello'],
    )
  })
})

test('is kept without what others that were killed over keeping theirs have left', async () => {
  const kept = join(place, 'beside')
  mkdirSync(kept)
  const [left, underWay] = ['a.tar.7.making', 'b.tar.8.making'].map(name => join(kept, name)) as [string, string]
  for (const file of [left, underWay]) writeFileSync(file, 'half of it')
  const yesterday = Date.now() / 1_000 - 24 * 3_600
  utimesSync(left, yesterday, yesterday)
  await withRunner(files, { npm, dependencies: kept }, service => service.finish(greet))
  assert.deepEqual(
    readdirSync(kept).filter(name => !name.endsWith('.tar')),
    ['b.tar.8.making'],
  )
})

test('is kept whole where two runners of a commit keep it at once, though their executors have the same process id', async () => {
  const kept = join(place, 'at-once', 'c.tar')
  const copies = ['one', 'two'].map(name => join(place, name))
  for (const [at, copy] of copies.entries()) {
    mkdirSync(join(copy, 'node_modules'), { recursive: true })
    for (let file = 0; file < 40; file += 1)
      writeFileSync(join(copy, 'node_modules', `${at}-${file}.js`), `${at}`.repeat((at + 1) * 10_000))
  }
  await Promise.all(copies.map(copy => keepDependencies(copy, kept)))
  const names: string[] = []
  await list({ file: kept, strict: true, onReadEntry: ({ path }) => void names.push(path) })
  assert.equal(names.length, 41)
  assert.equal(new Set(names.slice(1).map(name => name.split('-')[0])).size, 1, 'of one of them alone')
  assert.deepEqual(readdirSync(join(place, 'at-once')), ['c.tar'])
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
