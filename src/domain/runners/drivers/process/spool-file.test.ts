import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSpool } from './process.adapter.ts'

test('a line that was cut off in a spool hides none of the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-spool-'))
  const attempt = { stepId: '01a1fd91-3408-72e1-a33d-2d81066d520d', attempt: 1, fence: 1 }
  const chunk = (seq: number) => ({
    type: 'log',
    ...attempt,
    firstSeq: seq,
    runs: [[1, '2026-11-21T02:00:00.123456Z', 'stdout']],
    text: 'a line',
    seq,
  })
  const [first, second, third] = [1, 2, 3].map(seq => JSON.stringify(chunk(seq)))
  writeFileSync(join(folder, 'messages-2.ndjson'), `${third}\n${JSON.stringify(chunk(4)).slice(0, 50)}`)
  writeFileSync(join(folder, 'messages-1.ndjson'), `${first}\n${second!.slice(0, 40)}\n`)
  assert.deepEqual(readSpool(folder), [chunk(1), chunk(3)])
  assert.deepEqual(readSpool(join(folder, 'none')), [])
  rmSync(folder, { recursive: true })
})
