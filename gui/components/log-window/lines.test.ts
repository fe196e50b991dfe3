import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type LineRange, type LogLine, RangeLines } from './lines.ts'

const line = (index: number): LogLine => ({
  loggedAt: '2026-11-27T10:00:00Z',
  category: 'stdout',
  attempt: 1,
  stepId: 's',
  message: `line ${index}`,
})

const range = (from: number, count: number, total: number): LineRange => ({
  from,
  total,
  lines: Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, i) => line(from + i)),
})

/** A log of `total` lines, and the requests that were made for it. Time stands still. */
function logOf(t: TestContext, total: number, { atMost = 10_000 } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const log = { total, requests: [] as { from: number | undefined; count: number; stop: AbortSignal }[] }
  const lines = new RangeLines(async (from, count, stop) => {
    log.requests.push({ from, count, stop })
    await Promise.resolve()
    stop.throwIfAborted()
    return range(from ?? Math.max(0, log.total - count), Math.min(count, atMost), log.total)
  })
  const settle = async () => {
    for (let i = 0; i < 50; i++) {
      t.mock.timers.tick(50)
      await Promise.resolve()
    }
  }
  return { log, lines, settle }
}

test('wanted lines are read in pages once scrolling rests', async t => {
  const { log, lines, settle } = logOf(t, 200_000)
  lines.want(100_490, 100_530)
  t.mock.timers.tick(30)
  assert.equal(log.requests.length, 0)
  await settle()
  assert.deepEqual(
    log.requests.map(({ from, count }) => [from, count]),
    [
      [100_000, 500],
      [100_500, 500],
    ],
  )
  assert.equal(lines.count, 200_000)
  assert.equal(lines.get(100_529)?.message, 'line 100529')
  assert.equal(lines.get(0), undefined)
})

test('what is passed while scrolling is not requested, and running requests are given up', async t => {
  const { log, lines, settle } = logOf(t, 200_000)
  for (let i = 0; i < 100; i++) lines.want(i * 1_000, i * 1_000 + 40)
  t.mock.timers.tick(40)
  assert.equal(log.requests.length, 1)
  lines.want(150_000, 150_040)
  assert.equal(log.requests[0]?.stop.aborted, true)
  await settle()
  assert.equal(lines.get(99_000), undefined)
  assert.equal(lines.get(150_000)?.message, 'line 150000')
})

test('sixty pages are kept, those nearest to what is looked at', async t => {
  const { lines, settle } = logOf(t, 200_000)
  for (let page = 0; page < 70; page++) {
    lines.want(page * 500, page * 500 + 40)
    await settle()
  }
  assert.equal(lines.get(0), undefined)
  assert.equal(lines.get(9 * 500), undefined)
  assert.equal(lines.get(10 * 500)?.message, 'line 5000')
  assert.equal(lines.get(69 * 500)?.message, 'line 34500')
})

test('the tail is read by one request, which also says how long the log is', async t => {
  const { log, lines } = logOf(t, 1_234)
  await lines.readTail()
  assert.equal(lines.count, 1_234)
  assert.equal(lines.get(1_233)?.message, 'line 1233')
  assert.equal(log.requests.length, 1)
})

test('an answer that ends early is continued', async t => {
  const { log, lines, settle } = logOf(t, 400, { atMost: 150 })
  lines.want(0, 400)
  await settle()
  assert.equal(lines.get(399)?.message, 'line 399')
  assert.deepEqual(
    log.requests.map(({ from }) => from),
    [0, 150, 300],
  )
})

test('lines of the stream are added at their place, and gaps before them are read', async t => {
  const { log, lines, settle } = logOf(t, 3)
  lines.want(0, 40)
  await settle()
  lines.put(range(3, 2, 5))
  assert.deepEqual([lines.count, lines.get(4)?.message, log.requests.length], [5, 'line 4', 1])
  log.total = 9
  lines.put({ ...range(8, 1, 9) })
  lines.want(0, 40)
  await settle()
  assert.equal(lines.get(6)?.message, 'line 6')
  assert.deepEqual([log.requests[1]?.from, log.requests[1]?.count], [5, 3])
})

test('lines that have moved are read again', async t => {
  const { log, lines, settle } = logOf(t, 600)
  lines.want(480, 520)
  await settle()
  log.total = 610
  lines.invalidate(495, 610)
  assert.equal(lines.get(494)?.message, 'line 494')
  assert.equal(lines.get(495), undefined)
  assert.equal(lines.get(500), undefined)
  await settle()
  assert.equal(lines.get(495)?.message, 'line 495')
  assert.equal(lines.get(519)?.message, 'line 519')
  assert.equal(lines.count, 610)
})

test('a failed read is reported, and the next want tries again', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let fails = true
  const lines = new RangeLines(async (from = 0, count) => {
    if (fails) throw new Error('gone')
    return range(from, count, 10)
  })
  const settle = async () => {
    t.mock.timers.tick(50)
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  lines.want(0, 10)
  await settle()
  assert.equal((lines.error as Error).message, 'gone')
  fails = false
  lines.want(0, 10)
  await settle()
  assert.equal(lines.error, undefined)
  assert.equal(lines.get(9)?.message, 'line 9')
})

test('a response that is older than the stream does not make the log shorter', () => {
  const lines = new RangeLines(() => new Promise(() => {}))
  lines.put(range(3, 2, 5))
  lines.put(range(0, 3, 3))
  assert.deepEqual([lines.count, lines.get(0)?.message, lines.get(4)?.message], [5, 'line 0', 'line 4'])
})

test('of long lines, with which answers end early, only those in sight are read, and few are kept', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const requests: [number | undefined, number][] = []
  const message = 'x'.repeat(100_000)
  const lines = new RangeLines(async (from = 0, count) => {
    requests.push([from, count])
    const read = range(from, Math.min(count, 80), 100_000)
    return { ...read, lines: read.lines.map(each => ({ ...each, message })) }
  })
  const show = async (from: number) => {
    lines.want(from, from + 40)
    for (let i = 0; i < 50; i++) {
      t.mock.timers.tick(50)
      await Promise.resolve()
    }
    for (let i = from; i < from + 40; i++) assert.ok(lines.get(i), String(i))
  }
  await show(50_300)
  assert.deepEqual(requests, [
    [50_000, 500],
    [50_300, 40],
  ])
  for (let from = 0; from < 30_000; from += 500) await show(from)
  const kept = Array.from({ length: 100_000 }, (_, i) => i).filter(i => lines.get(i)).length
  assert.ok(kept < 400, String(kept))
})
