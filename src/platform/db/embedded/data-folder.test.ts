import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
