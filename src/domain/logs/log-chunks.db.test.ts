import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { LogChunk, LogRun } from '#protocol/runner-protocol.ts'
import { type EngineWorld, engineWorld } from '../../../tests/support/engine-world.ts'
import { cannotStoreIn } from '../../../tests/support/runner-world.ts'
import { stage, step } from '../../../tests/support/step-trees.ts'
import { insertChunks, lineId, readStepLog } from './log-chunks.store.ts'
import { LogWriter } from './log-writer.tx.ts'
import { storeLines, storeLinesOneByOne } from './store-lines.tx.ts'

let world: EngineWorld
let activityId: string
let runnerId: string
let stepId: string
before(async () => {
  world = await engineWorld()
  activityId = await world.change(stage('all', [step('one')]))
  await world.admit()
  runnerId = await world.runnerOf(activityId)
  stepId = (await world.claim(activityId, runnerId))[0]!.id
})
after(() => world.end())

const chunk = (firstSeq: number, count: number, attempt = 1): LogChunk => ({
  type: 'log',
  stepId,
  attempt,
  fence: 1,
  seq: firstSeq,
  firstSeq,
  runs: Array.from({ length: count }, (_, i): LogRun => [1, at(firstSeq + i), 'stdout']),
  text: Array.from({ length: count }, (_, i) => message(firstSeq + i, attempt)).join('\n'),
})
const message = (seq: number, attempt: number) => `line ${seq} "of" {${attempt}} \\ , ä`
const at = (seq: number) => `2026-11-21T10:00:00.${String(seq).padStart(6, '0')}Z`

test('chunks of one moment are stored together, and once however often they come', async () => {
  const chunks = [chunk(1, 1_000), chunk(1_001, 1), chunk(1_002, 700), chunk(1, 3, 2)].map(each => ({
    runnerId,
    chunk: each,
  }))
  await insertChunks(world.database, chunks)
  await insertChunks(world.database, chunks.slice(1, 3))
  const stored = await world.database.rows(sql`
    select attempt, first_seq, line_count, first_at from log_chunks where step_id = ${stepId} order by attempt, first_seq`)
  assert.deepEqual(stored, [
    { attempt: 1, first_seq: 1, line_count: 1_000, first_at: at(1) },
    { attempt: 1, first_seq: 1_001, line_count: 1, first_at: at(1_001) },
    { attempt: 1, first_seq: 1_002, line_count: 700, first_at: at(1_002) },
    { attempt: 2, first_seq: 1, line_count: 3, first_at: at(1) },
  ])
})

test('what one runner has sent and cannot be stored holds up nothing that others send at the same moment', async () => {
  const writer = new LogWriter(world.database)
  const sent = [chunk(1, 2, 3), { ...chunk(1, 2, 4), firstSeq: 2 ** 70 }, chunk(1, 2, 5), chunk(1, 2, 6)]
  const stored = await Promise.allSettled(sent.map(each => writer.add([{ runnerId, chunk: each }])))
  assert.deepEqual(
    stored.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  const attempts = await world.database.rows(sql<{ attempt: number }>`
    delete from log_chunks where step_id = ${stepId} and attempt > 2 returning attempt`)
  assert.deepEqual(attempts.map(({ attempt }) => attempt).sort(), [3, 5, 6])
})

test('lines that can never be stored are left out after an hour, told of, and said so in their place', async () => {
  const writer = new LogWriter(world.database)
  const parts = {
    database: world.database,
    writer,
    backoff: new RetryBackoff(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    work: { cannotStore: cannotStoreIn(world) },
  }
  const runner = { id: runnerId, activityId, of: 'activity', stepId: null, session: 0 } as const
  const impossible = { ...chunk(3, 2, 7), runs: [[2, '2026-13-41T10:00:00.000000Z', 'stdout'] as LogRun] }
  const sent = [chunk(1, 2, 7), impossible, chunk(5, 2, 7)]
  await assert.rejects(storeLines(parts, runner, sent))
  for (let tries = 1; tries < 6; tries++) await assert.rejects(storeLinesOneByOne(parts, runner, sent))
  const kept = () => readStepLog(world.database, { stepId, after: { attempt: 6, seq: 1_000_000 }, limit: 10 })
  assert.deepEqual(
    (await kept()).map(({ seq }) => seq),
    [1, 2, 5, 6],
  )
  await world.moveClock('61 minutes')
  await storeLinesOneByOne(parts, runner, sent)
  const lines = await kept()
  assert.deepEqual(
    lines.map(({ seq, category }) => [seq, category]),
    [1, 2, 3, 4, 5, 6].map(seq => [seq, seq === 3 || seq === 4 ? 'runner' : 'stdout']),
  )
  assert.match(lines[2]!.message, /^this line could not be stored and is left out: \S/)
  const told = await world.database.rows(sql<{ attributes: object }>`
    select attributes from events where type = 'error:log_lines:left_out'`)
  assert.equal(told.length, 1)
  await world.database.count(sql`delete from log_chunks where step_id = ${stepId} and attempt = 7`)
})

test('pages of any size, one after the other, are the whole log', async () => {
  for (const limit of [7, 999, 1_000, 5_000]) {
    const found: string[] = []
    for (let page = await readStepLog(world.database, { stepId, limit }); page.length > 0; ) {
      found.push(...page.map(line => line.message))
      const { attempt, seq } = page.at(-1)!
      page = await readStepLog(world.database, { stepId, after: { attempt, seq }, limit })
    }
    const expected = `${chunk(1, 1_701).text}\n${chunk(1, 3, 2).text}`.split('\n')
    assert.deepEqual(found, expected)
  }
})

test('a line has the same id wherever it is made, and its time to the microsecond', async () => {
  const [, second] = await readStepLog(world.database, { stepId, limit: 2 })
  assert.equal(second?.id, lineId(stepId, 1, 2))
  assert.match(second!.id, /^.{8}-.{4}-8.{3}-[89ab]/)
  assert.equal(second?.logged_at, at(2))
})

test('each line has the time and the category of its run, and an empty line is one', async () => {
  const [first, second] = ['2026-11-21T09:59:59.999999Z', '1999-12-31T23:59:59.000001Z']
  const runs: LogRun[] = [
    [2, first, 'stderr'],
    [1, second, 'action'],
  ]
  const mixed: LogChunk = { ...chunk(1, 1, 7), runs, text: '\nb\n' }
  const empty: LogChunk = { ...chunk(4, 1, 7), runs: [[1, second, 'runner']], text: '' }
  await insertChunks(
    world.database,
    [mixed, empty].map(each => ({ runnerId, chunk: each })),
  )
  const stored = await world.database.rows(sql`
    select seq, logged_at, category, message from log_lines where step_id = ${stepId} and attempt = 7 order by seq`)
  assert.deepEqual(stored, [
    { seq: 1, logged_at: first, category: 'stderr', message: '' },
    { seq: 2, logged_at: first, category: 'stderr', message: 'b' },
    { seq: 3, logged_at: second, category: 'action', message: '' },
    { seq: 4, logged_at: second, category: 'runner', message: '' },
  ])
})

test('what a runner that was given up still sends is not stored', async () => {
  await world.database.count(sql`update runners set status = 'gone' where id = ${runnerId}`)
  await insertChunks(world.database, [{ runnerId, chunk: chunk(9_000, 1) }])
  const row = await world.database.one(sql`select from log_chunks where first_seq = 9000`)
  assert.equal(row, undefined)
})

test('a page of a log reads its range of the key, not the log', async () => {
  const plan = await world.database.rows(sql<{ 'QUERY PLAN': string }>`
    explain select * from log_lines
     where step_id = ${stepId}::uuid and (attempt, first_seq) > (1, 500::bigint) and (attempt, seq) > (1, 1500::bigint)
     order by attempt, seq limit 100`)
  const text = plan.map(row => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index Cond: .*step_id.*ROW\(.*attempt, .*first_seq\)/)
})
