import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { storeArtefact } from './artefacts.store.ts'

test('an artefact that is being received leaves no file behind, whenever the service is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-received-'))
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  const there: string[][] = []
  async function* bytes() {
    for (let piece = 0; piece < 4; piece++) {
      yield Buffer.alloc(1_048_576)
      there.push(readdirSync(folder))
    }
  }
  const artefact = { name: 'large', sha256: '0'.repeat(64) } as Parameters<typeof storeArtefact>[1]
  try {
    await assert.rejects(
      storeArtefact(undefined as never, artefact, Readable.from(bytes())),
      /was changed while it was/,
    )
    assert.deepEqual(there, [[], [], [], []])
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    rmSync(folder, { recursive: true })
  }
})
