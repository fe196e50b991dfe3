import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { prepareDataFolder } from './data-folder.ts'

test('a data folder that is a file is refused as what it is', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'data')
  writeFileSync(file, '')
  await assert.rejects(
    prepareDataFolder(file, undefined, () => {}),
    new RegExp(`The data folder ${file} is no folder. Name one with SLUICE_DATA_DIR`),
  )
})

test('a data folder that cannot be written is refused before anything is started on it', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  const isRoot = process.getuid?.() === 0
  t.after(() => {
    if (isRoot) process.seteuid?.(0)
    rmSync(folder, { recursive: true })
  })
  chmodSync(folder, 0o555)
  // Root writes wherever the file system lets it.
  if (isRoot) process.seteuid?.('nobody')
  await assert.rejects(
    prepareDataFolder(folder, undefined, () => {}),
    /The data folder .* cannot be written by the user .*: EACCES.*SLUICE_DATA_DIR/,
  )
})

test('nothing stays behind in a data folder that can be written', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(await prepareDataFolder(folder, undefined, () => {}), folder)
  assert.deepEqual(readdirSync(folder), [])
})
