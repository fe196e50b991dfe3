import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { emptyFolder } from '../executor/remove-tree.ts'
import { places, refuseLinks, StepFolders } from './step-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-step-folder-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function newPlace(name: string): { work: string; precious: string } {
  const [work, precious] = [join(folder, name, 'work'), join(folder, name, 'precious')]
  for (const path of [work, precious]) mkdirSync(path, { recursive: true })
  writeFileSync(join(precious, 'file'), 'precious')
  return { work, precious }
}

/** What a step does that moves a folder away and puts a link to another in its place. */
function replaceByLink(path: string, to: string): void {
  renameSync(path, `${path}-moved`)
  symlinkSync(to, path)
}

test('a folder is emptied of all that steps have left, and links in it are not followed', async () => {
  const { work, precious } = newPlace('emptied')
  mkdirSync(join(work, 'a/read-only'), { recursive: true })
  writeFileSync(join(work, 'a/read-only/file'), '')
  symlinkSync(precious, join(work, 'link'))
  await emptyFolder(work)
  assert.deepEqual(readdirSync(work), [])
  assert.deepEqual(readdirSync(precious), ['file'])
})

test('a link in the place of the folder of steps is not followed when that is emptied', async () => {
  const { work, precious } = newPlace('replaced')
  replaceByLink(work, precious)
  await assert.rejects(emptyFolder(work), /ENOTDIR/)
  assert.deepEqual(readdirSync(precious), ['file'])
})

test('a link in the place of the folder of steps is refused wherever the executor works below it', () => {
  const { work, precious } = newPlace('refused')
  mkdirSync(join(precious, 'steps'))
  replaceByLink(work, precious)
  assert.throws(
    () => refuseLinks(work, join(work, 'steps')),
    /^Error: work in the runner's folder is no folder any more/,
  )
})

test('a link in the place of the folders of steps is not followed when a step is over', async () => {
  const { work, precious } = newPlace('over')
  mkdirSync(join(work, 'copy'))
  const folders = new StepFolders(work)
  await folders.lay({ step: 'a', folder: '' }, { context: '{}', scripts: [], files: [] })
  mkdirSync(join(precious, 'a'))
  replaceByLink(join(work, 'steps'), precious)
  for (const spoilt of [true, false]) await folders.over('a', spoilt)
  assert.ok(existsSync(join(precious, 'a')))
  assert.ok(!existsSync(places.step(work, 'free-1')))
})
