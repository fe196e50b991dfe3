import assert from 'node:assert/strict'
import { once } from 'node:events'
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
import { Worker } from 'node:worker_threads'
import { emptyFolder } from '../executor/remove-tree.ts'
import { StepLayout } from '../executor/step-layout.ts'
import { places, refuseLinks } from './step-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-step-folder-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function newPlace(name: string): { work: string; precious: string } {
  const [work, precious] = [join(folder, name, 'work'), join(folder, name, 'precious')]
  for (const path of [work, precious]) mkdirSync(path, { recursive: true })
  writeFileSync(join(precious, 'file'), 'precious')
  return { work, precious }
}

/** Moves a folder away and puts a link to another in its place, as a malicious step would. */
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
  const folders = new StepLayout(work)
  await folders.prepare({ step: 'a', folder: '' }, { context: '{}', scripts: [], files: [] })
  mkdirSync(join(precious, 'a'))
  replaceByLink(join(work, 'steps'), precious)
  for (const unusable of [true, false]) await folders.stepEnded('a', unusable)
  assert.ok(existsSync(join(precious, 'a')))
  assert.ok(!existsSync(places.step(work, 'free-1')))
})

test('folders that several processes make at the same moment are made once, and all of them go on', async () => {
  const [makers, rounds] = [3, 300]
  const { work } = newPlace('at-once')
  const makeAll = `
    const { makeFolder } = await import(${JSON.stringify(import.meta.resolve('./step-folder.ts'))})
    const { workerData } = await import('node:worker_threads')
    const arrived = new Int32Array(workerData)
    for (let round = 0; round < ${rounds}; round++) {
      Atomics.add(arrived, round, 1)
      while (Atomics.load(arrived, round) < ${makers});
      makeFolder(${JSON.stringify(work)}, ${JSON.stringify(join(work, 'home-'))} + round)
    }`
  const arrived = new SharedArrayBuffer(4 * rounds)
  const url = new URL(`data:text/javascript,${encodeURIComponent(makeAll)}`)
  const workers = Array.from({ length: makers }, () => new Worker(url, { workerData: arrived }))
  try {
    await Promise.all(workers.map(worker => once(worker, 'exit')))
  } finally {
    for (const worker of workers) await worker.terminate()
  }
  assert.equal(readdirSync(work).length, rounds)
})
