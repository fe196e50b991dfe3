import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Spool, type Unnumbered } from './spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-spool-'))
after(() => rmSync(folder, { recursive: true }))

const attempt = { stepId: '01a1fd91-3408-72e1-a33d-2d81066d520d', attempt: 1, fence: 1 }
const chunk = (text: string): Unnumbered => ({
  type: 'log',
  ...attempt,
  firstSeq: 1,
  runs: [[1, '2026-11-21T02:00:00.123456Z', 'stdout']],
  text,
})
const never = (line: string) => assert.fail(line)
const seqOf = (bytes: Buffer | undefined) => bytes && JSON.parse(bytes.toString()).seq

test('no more is under way than may be, a new connection begins with what is not acknowledged', () => {
  const spool = new Spool(join(folder, 'order'), 10_000, never)
  for (let i = 0; i < 6; i++) spool.add(chunk('x'.repeat(400)))
  const sent = () => {
    const found: unknown[] = []
    for (let next = spool.next(1_000); next; next = spool.next(1_000)) found.push(seqOf(next))
    return found
  }
  assert.deepEqual(sent(), [1, 2])
  spool.acknowledged(1)
  assert.deepEqual(sent(), [3])
  spool.startOver()
  assert.deepEqual(sent(), [2, 3])
  spool.acknowledged(6)
  assert.deepEqual([spool.empty, spool.bytes, sent()], [true, 0, []])
})

test('the files hold what is not acknowledged, and not much of what is, however long it goes on', () => {
  const place = join(folder, 'long')
  const spool = new Spool(place, 10 * 1_048_576, never)
  const text = 'x'.repeat(1_000_000)
  for (let seq = 1; seq <= 60; seq++) {
    spool.add(chunk(text))
    spool.acknowledged(seq - 2)
    const bytes = readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0)
    assert.ok(bytes <= 20 * 1_048_576, `${bytes} bytes after ${seq} messages`)
  }
  const lines = readdirSync(place)
    .toSorted()
    .flatMap(name => readFileSync(join(place, name), 'utf8').trim().split('\n'))
  assert.deepEqual(
    lines.slice(-2).map(line => JSON.parse(line).seq),
    [59, 60],
  )
})
