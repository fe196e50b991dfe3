import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type EngineWorld, engineWorld } from '../../../tests/support/engine-world.ts'
import { stage, step } from '../../../tests/support/step-trees.ts'
import { insertChunks } from './log-chunks.store.ts'
import { type Chunk, keyOf, nextChunks, nothingSeen } from './log-following.store.ts'

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

const mebibyte = 1024 * 1024

test('a stream reads no more lines at once than fit into the memory of a process that has many, and all of them', async () => {
  const count = 60
  for (let firstSeq = 1; firstSeq <= count; firstSeq += 1) {
    const text = String(firstSeq).padEnd(mebibyte, firstSeq % 2 ? 'x' : 'a word ')
    const runs = [[1, '2026-11-21T10:00:00.000001Z', 'stdout'] as [number, string, 'stdout']]
    const chunk = { type: 'log' as const, stepId, attempt: 1, fence: 1, seq: firstSeq, firstSeq, runs, text }
    await insertChunks(world.database, [{ runnerId, chunk }])
  }
  const { to } = (await world.database.one(sql<{ to: string }>`select sluice_snapshot()::text as to`))!
  const pages: Chunk[][] = []
  for (let whole = false; !whole; ) {
    const last = pages.at(-1)?.at(-1)
    const next = await nextChunks(world.database, sql<boolean>`l.activity_id = ${activityId}::uuid`, {
      seen: nothingSeen,
      to,
      ...(last && { after: keyOf(last) }),
    })
    assert.ok(next.chunks.length > 0)
    pages.push(next.chunks)
    whole = next.whole
  }
  assert.deepEqual(
    pages.flat().map(chunk => Number(chunk.first_seq)),
    Array.from({ length: count }, (_, index) => index + 1),
  )
  assert.ok(
    pages.every(({ length }) => length <= 32),
    `megabytes of each page: ${pages.map(({ length }) => length)}`,
  )
})
