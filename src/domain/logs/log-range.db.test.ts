import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { LogChunk, LogRun } from '#protocol/runner-protocol.ts'
import { type EngineWorld, engineWorld } from '../../../tests/support/engine-world.ts'
import { stage, step } from '../../../tests/support/step-trees.ts'
import { insertChunks } from './log-chunks.store.ts'
import type { LinesSought } from './log-matches.store.ts'
import { findMatches } from './log-matches.tx.ts'
import type { RangeWanted } from './log-range.store.ts'
import { type Log, readRange } from './log-range.tx.ts'

let world: EngineWorld
let activityId: string
let runnerId: string
let steps: string[]
before(async () => {
  world = await engineWorld()
  activityId = await world.change(stage('all', [step('one'), step('two'), step('three')]))
  await world.admit()
  runnerId = await world.runnerOf(activityId)
  const rows = await world.database.rows(sql<{ id: string }>`
    select id from steps where activity_id = ${activityId}::uuid and step_type = 'standard' order by tree_order`)
  steps = rows.map(({ id }) => id)
})
after(() => world.end())

const at = (microseconds: number) =>
  `${new Date(Date.UTC(2026, 10, 21) + Math.floor(microseconds / 1e3)).toISOString().slice(0, -1)}${String(microseconds % 1e3).padStart(3, '0')}Z`

/** Whether a line with this number at its end is written to stderr. */
const isError = (line: string) => line.endsWith('3')

/** A chunk whose lines are written at these times. */
const chunk = (stepId: string, attempt: number, firstSeq: number, times: readonly number[]): LogChunk => ({
  type: 'log',
  stepId,
  attempt,
  fence: 1,
  seq: firstSeq,
  firstSeq,
  runs: times.map((time, i): LogRun => [1, at(time), isError(String(firstSeq + i)) ? 'stderr' : 'stdout']),
  text: times.map((_, i) => `${stepId.slice(-4)} ${attempt} ${firstSeq + i}`).join('\n'),
})

const store = (chunks: readonly LogChunk[]) =>
  insertChunks(
    world.database,
    chunks.map(each => ({ runnerId, chunk: each })),
  )

const logOfAll = (): Log => ({ among: [sql<boolean>`l.activity_id = ${activityId}::uuid`] })
const logOf = (stepId: string): Log => ({ among: [sql<boolean>`l.step_id = ${stepId}::uuid`], stepId })

/** Messages in an order, as PostgreSQL sorts the single lines. */
const sorted = async (which: Sql<boolean>, order: Sql): Promise<string[]> =>
  (
    await world.database.rows(sql<{ message: string }>`
      select message from log_lines l where ${which} order by ${order}`)
  ).map(({ message }) => message)

async function isRange(log: Log, wanted: RangeWanted, all: readonly string[]) {
  const { total, lines, from } = await readRange(world.database, log, wanted)
  const start = wanted.from ?? Math.max(all.length - wanted.count, 0)
  assert.equal(total, all.length)
  assert.equal(from, start)
  const expected = all.slice(start, start + wanted.count).map((message, i) => [start + i, message])
  assert.deepEqual(
    lines.map(({ index, line }) => [index, line.message]),
    expected,
    JSON.stringify(wanted),
  )
}

/** A fixed sequence of numbers below a limit, different for each. */
let state = 7
const below = (limit: number) => {
  state = (state * 48_271) % 2_147_483_647
  return state % limit
}

test('any range of a log of parallel steps has the lines that sorting all of them gives', async () => {
  const chunks: LogChunk[] = []
  for (const stepId of steps) {
    let [time, seq] = [below(2_000), 1]
    for (let i = 0; i < 60; i++) {
      const times = Array.from({ length: 1 + below(40) }, () => (time += below(3) * 50))
      chunks.push(chunk(stepId, i < 40 ? 1 : 2, seq, times))
      seq += times.length
      if (i === 39) seq = 1
      if (below(4) === 0) time += below(5_000)
    }
  }
  await store(chunks.toReversed())
  const all = await sorted(
    sql<boolean>`l.activity_id = ${activityId}::uuid`,
    sql`l.logged_at, l.step_id, l.attempt, l.seq`,
  )
  assert.ok(all.length > 2_000)
  for (const [from, count] of [
    [0, 1],
    [0, 10_000],
    [all.length - 1, 5],
    [all.length, 5],
    [all.length + 9, 5],
  ] as const)
    await isRange(logOfAll(), { from, count }, all)
  for (let i = 0; i < 60; i++) await isRange(logOfAll(), { from: below(all.length), count: 1 + below(300) }, all)
  for (const count of [1, 99, 10_000]) await isRange(logOfAll(), { from: undefined, count }, all)

  for (const stepId of steps) {
    const own = await sorted(sql<boolean>`l.step_id = ${stepId}::uuid`, sql`l.attempt, l.seq`)
    for (let i = 0; i < 20; i++) await isRange(logOf(stepId), { from: below(own.length), count: 1 + below(300) }, own)
    await isRange(logOf(stepId), { from: undefined, count: 50 }, own)
    await isRange(logOf(stepId), { from: own.length, count: 50 }, own)
  }
})

test('each line that matches has the index under which the log is read', async () => {
  const all = await sorted(
    sql<boolean>`l.activity_id = ${activityId}::uuid`,
    sql`l.logged_at, l.step_id, l.attempt, l.seq`,
  )
  const indexes = (lines: readonly string[], isSo: (line: string) => boolean) =>
    lines.flatMap((line, index) => (isSo(line) ? [index] : []))
  const found = async (log: Log, sought: LinesSought, limit = 10_000) =>
    (await findMatches(world.database, log, sought, { limit })).map(({ line }) => line)
  const ends = indexes(all, line => line.endsWith('7'))
  assert.ok(ends.length > 100)
  assert.deepEqual(await found(logOfAll(), { regexp: '7$' }), ends)
  assert.deepEqual(await found(logOfAll(), { regexp: '7$' }, 20), ends.slice(0, 20))
  assert.deepEqual(
    await found(logOfAll(), { text: ' 1 1' }),
    indexes(all, line => line.includes(' 1 1')),
  )
  assert.deepEqual(await found(logOfAll(), { text: 'nowhere' }), [])
  assert.deepEqual(await found(logOfAll(), { errors: true, regexp: '.' }), indexes(all, isError))
  const inSteps = await findMatches(world.database, logOfAll(), { regexp: '7$' }, { limit: 10_000 })
  for (const stepId of steps) {
    const own = await sorted(sql<boolean>`l.step_id = ${stepId}::uuid`, sql`l.attempt, l.seq`)
    assert.deepEqual(
      inSteps.flatMap(match => (match.found.writer_id === stepId ? [match.stepLine] : [])).toSorted((a, b) => a - b),
      indexes(own, line => line.endsWith('7')),
    )
    assert.deepEqual(
      await found(logOf(stepId), { text: '77' }),
      indexes(own, line => line.includes('77')),
    )
  }
})

test('a log without lines has none, wherever it is read', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  await isRange({ among: [sql<boolean>`l.step_id = ${nobody}::uuid`] }, { from: 0, count: 5 }, [])
  await isRange({ among: [sql<boolean>`l.step_id = ${nobody}::uuid`] }, { from: undefined, count: 5 }, [])
  await isRange(logOf(nobody), { from: undefined, count: 5 }, [])
})

test('the index of a line of a step stays the same when an earlier line is missing', async () => {
  const [stepId] = steps as [string]
  const attempt = 9
  await store([chunk(stepId, attempt, 11, [5, 6, 7])])
  const own = { among: [sql<boolean>`l.attempt = ${attempt}`], stepId }
  const { total, lines } = await readRange(world.database, own, { from: 9, count: 3 })
  assert.equal(total, 13)
  assert.deepEqual(
    lines.map(({ index, line }) => [index, line.sequence]),
    [
      [10, 11],
      [11, 12],
    ],
  )
})
