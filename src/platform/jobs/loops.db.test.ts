import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../../client/sluice.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { aroundOf } from '../../../tests/support/jobs.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Loop } from '../domain.ts'
import { FailingLoops } from './failing-loops.ts'
import { runLoops } from './loops.ts'

let made: Awaited<ReturnType<typeof testDatabase>>
let database: Database
before(async () => {
  made = await testDatabase()
  database = openDatabase({ url: made.appUrl, name: 'test', size: 3 })
})
after(async () => {
  await database.end()
  await made.drop()
})

test('a loop that fails each time is seen while it does, is told of once by however many processes, and holds up no other', async () => {
  let broken = true
  let wentWell = 0
  const loops: Loop[] = [
    {
      name: 'broken',
      every: 1,
      hints: [],
      run: async () => {
        if (broken) throw new Error('a fault of ours')
        return false
      },
    },
    { name: 'whole', every: 1, hints: [], run: async () => ++wentWell < 0 },
  ]
  const stopping = new AbortController()
  const runtime = aroundOf(database, stopping)
  const silent = { ...runtime, log: { ...runtime.log, error: () => {} } }
  const processes = [new FailingLoops(), new FailingLoops()]
  const running = processes.map(failing => runLoops([{ name: 'test', loops }], silent, failing))
  try {
    await until(
      'both have failed often enough to tell',
      async () => processes.map(failing => failing.now()),
      seen => seen.every(([one]) => one !== undefined && one.failures > 20),
      { pause: 20 },
    )
    assert.deepEqual(
      processes[0]!.now().map(({ loop, error }) => [loop, error]),
      [['broken', 'a fault of ours']],
    )
    const told = await database.rows(sql<{ attributes: object }>`
      select attributes from events where type = 'api:job:error'`)
    assert.deepEqual(told, [{ attributes: { name: 'broken', error: 'a fault of ours' } }])
    assert.ok(wentWell > 20)
    broken = false
    await until(
      'nothing fails any more',
      async () => processes.flatMap(failing => failing.now()),
      seen => seen.length === 0,
      { pause: 20 },
    )
  } finally {
    stopping.abort()
    await Promise.all(running)
  }
})
