import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { removeTreeNow } from '../executor/remove-tree.ts'
import { places } from './step-folder.ts'
import { StepFolders } from './step-folders.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-step-folders-'))
after(() => rmSync(root, { recursive: true, force: true }))

function newFolders(runBy: 'others' | 'own') {
  const work = mkdtempSync(join(root, 'work-'))
  const folders = new StepFolders(work, runBy, removeTreeNow)
  const of = (step: string) => places.step(work, step)
  return { work, folders, of, inode: (step: string) => statSync(of(step)).ino }
}

/** Sets the times of a step's folders back, as if nothing had happened in them for a while. */
function age(folder: string): void {
  for (const each of [folder, join(folder, 'artefacts')]) utimesSync(each, 1_000, 1_000)
}

const first = { context: '{"first": 1}', scripts: ['echo first'] }
const second = { context: '{}', scripts: ['true'] }
const laid = ['artefacts', 'script-1', 'step_context.json']

/** Changes that a step may make in its own folder, or another process in the folder of a step that is over. */
const tampering: Record<string, (folder: string) => void> = {
  'a file more': folder => writeFileSync(join(folder, 'step_result.json'), '{}'),
  'a file that looks like a script': folder => writeFileSync(join(folder, 'script-of-mine'), '', { mode: 0o700 }),
  'an artefact': folder => writeFileSync(join(folder, 'artefacts/a'), ''),
  'no folder of artefacts': folder => rmSync(join(folder, 'artefacts'), { recursive: true }),
  'a closed folder': folder => chmodSync(folder, 0o500),
  'an open folder': folder => chmodSync(folder, 0o755),
  'a link instead of the context': folder => replaceByLink(join(folder, 'step_context.json')),
  'a context with another name elsewhere': folder =>
    linkSync(join(folder, 'step_context.json'), `${folder}-other-name`),
  'a context that others may read': folder => chmodSync(join(folder, 'step_context.json'), 0o644),
  'a link instead of the script': folder => replaceByLink(join(folder, 'script-1')),
  'a link instead of itself': folder => replaceByLink(folder),
}

function replaceByLink(path: string): void {
  renameSync(path, `${path}.real`)
  symlinkSync(`${path}.real`, path)
}

for (const runBy of ['others', 'own'] as const)
  describe(`folders of steps that are run by ${runBy === 'own' ? 'this process' : 'others'}`, () => {
    test('a folder in which nothing is left becomes that of the next step, with its files', () => {
      const { work, folders, of, inode } = newFolders(runBy)
      folders.prepare('a', first)
      const kept = inode('a')
      assert.ok(folders.keep('a'))
      folders.prepare('b', second)
      assert.equal(inode('b'), kept)
      assert.ok(!existsSync(of('a')))
      assert.deepEqual(readdirSync(of('b')).toSorted(), laid)
      assert.equal(readFileSync(places.context(work, 'b'), 'utf8'), '{}')
      assert.equal(readFileSync(places.script(work, 'b', 0), 'utf8'), 'true')
    })

    for (const [what, tamper] of Object.entries(tampering))
      test(`a folder in which a step leaves ${what} is no other step's`, () => {
        const { folders, of } = newFolders(runBy)
        folders.prepare('a', first)
        age(of('a'))
        tamper(of('a'))
        // Files are looked at when they are written again, at the latest.
        folders.keep('a')
        folders.prepare('b', second)
        assertAsLaidOut(of('b'))
      })

    for (const [what, tamper] of Object.entries(tampering))
      for (const aged of [true, false])
        test(`a folder that ${aged ? 'has long been' : 'was just'} kept, and is given ${what}, is no other step's`, () => {
          const { folders, of } = newFolders(runBy)
          folders.prepare('a', first)
          if (aged) age(of('a'))
          assert.ok(folders.keep('a'))
          tamper(of('a'))
          folders.prepare('b', second)
          assertAsLaidOut(of('b'))
        })

    test('a step that is laid out again, after what laid it out has ended, finds its own files alone', () => {
      const { work, folders, of } = newFolders(runBy)
      mkdirSync(join(of('a'), 'artefacts'), { recursive: true })
      writeFileSync(join(of('a'), 'more'), '')
      folders.prepare('a', second)
      assertAsLaidOut(of('a'))
      assert.deepEqual(readdirSync(places.step(work, '')), ['a'])
    })
  })

test('of a step that others run, contents and further scripts are removed as soon as it is over', () => {
  const { work, folders, of } = newFolders('others')
  folders.prepare('a', { ...first, scripts: ['one', 'two', 'three'] })
  assert.ok(folders.keep('a'))
  assert.deepEqual(readdirSync(of('a')).toSorted(), laid)
  assert.equal(readFileSync(places.context(work, 'a'), 'utf8'), '{')
  assert.equal(readFileSync(places.script(work, 'a', 0), 'utf8'), 'o')
})

function assertAsLaidOut(folder: string): void {
  const mode = (name: string) => lstatSync(join(folder, name)).mode & 0o7777
  assert.ok(lstatSync(folder).isDirectory())
  assert.deepEqual(readdirSync(folder).toSorted(), laid)
  assert.deepEqual(readdirSync(join(folder, 'artefacts')), [])
  assert.deepEqual(['.', ...laid].map(mode), [0o700, 0o700, 0o700, 0o600])
  assert.equal(readFileSync(join(folder, 'step_context.json'), 'utf8'), second.context)
  const files = ['script-1', 'step_context.json'].map(name => lstatSync(join(folder, name)))
  for (const file of files) assert.deepEqual([file.isFile(), file.nlink], [true, 1])
}
