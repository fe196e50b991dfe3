import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { StandardError } from './log.ts'

test('a line that cannot be written is counted, and the count is written before the next one that can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
  const pipe = join(folder, 'log')
  execFileSync('mkfifo', [pipe])
  const openReader = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const read = (reader: number) => {
    const bytes = Buffer.alloc(10_000)
    return bytes.toString('utf8', 0, readSync(reader, bytes))
  }
  try {
    let reader = openReader()
    const writer = openSync(pipe, 'w')
    const log = new StandardError(writer)
    log.write('one\n')
    assert.equal(read(reader), 'one\n')
    closeSync(reader)
    log.write('two\n')
    log.write('three\n')
    reader = openReader()
    log.write('four\n')
    const [note, four] = read(reader).trim().split('\n')
    assert.deepEqual([JSON.parse(note!).msg, four], ['2 lines of this log could not be written', 'four'])
    for (const each of [reader, writer]) closeSync(each)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
