import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { aroundOf } from '../../../../tests/support/jobs.ts'
import { readSoFar } from '../../../../tests/support/rows-read.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import { activitiesToWake } from '../store/waiting-step.store.ts'
import { timersLoops } from './timers.jobs.ts'

const world = await engineWorld()
afterEach(() => world.consistent())
after(() => world.end())

test('a vault that hangs holds up those timers only for which it is asked', async () => {
  const ids = [0, 1, 2, 3].map(() => world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')])))
  const [first, plain, second, last] = (await Promise.all(ids)) as [string, string, string, string]
  await world.admit()
  const statuses = () => Promise.all([first, plain, second, last].map(id => world.status(id)))
  assert.deepEqual(await statuses(), ['waiting', 'waiting', 'waiting', 'waiting'])

  const asked: string[] = []
  const answers = Promise.withResolvers<void>()
  const bothAsked = Promise.withResolvers<void>()
  Object.assign(world.parts, {
    continued: async (...[tx, { id }, due]: Parameters<typeof world.parts.continued>) => {
      if (id === first || id === second)
        await tx.external(`of ${id}`, () => {
          if (asked.push(id) === 2) bothAsked.resolve()
          return answers.promise
        })
      return { going: due, later: [] }
    },
  })
  await world.moveClock('61 seconds')
  const [timers, askingTimers] = timersLoops(world.parts, new RetryBackoff())
  const runtime = aroundOf(world.database)
  await timers!.run(runtime)
  assert.deepEqual(await statuses(), ['waiting', 'queued', 'waiting', 'queued'])
  const asking = askingTimers!.run(runtime)
  await bothAsked.promise
  await timers!.run(runtime)
  assert.deepEqual(asked.toSorted(), [first, second].toSorted(), 'each asks once, beside the other')
  answers.resolve()
  await asking
  assert.deepEqual(await statuses(), ['queued', 'queued', 'queued', 'queued'])
})

test('a service that stops asks for no further timer, however many there are and however long each takes', async () => {
  const ids = await Promise.all(
    Array.from({ length: 12 }, () => world.change(stage('r', [wait('w', { wait: { seconds: 60 } }), step('a')]))),
  )
  await world.admit()
  const asked: string[] = []
  const answers = Promise.withResolvers<void>()
  Object.assign(world.parts, {
    continued: async (...[tx, { id }, due]: Parameters<typeof world.parts.continued>) => {
      await tx.external(`of ${id}`, () => {
        asked.push(id)
        return answers.promise
      })
      return { going: due, later: [] }
    },
  })
  await world.moveClock('61 seconds')
  const [timers, askingTimers] = timersLoops(world.parts, new RetryBackoff())
  const stopping = new AbortController()
  const runtime = aroundOf(world.database, stopping)
  await timers!.run(runtime)
  const asking = askingTimers!.run(runtime)
  stopping.abort()
  answers.resolve()
  await asking
  const statuses = await Promise.all(ids.map(id => world.status(id)))
  assert.ok(asked.length < ids.length, `${asked.length} were asked for`)
  assert.equal(statuses.filter(status => status === 'waiting').length, ids.length - asked.length)
})

test('among 2,000 steps that wait for a time, none is read before its time has come', async () => {
  await world.clear()
  const waits = Array.from({ length: 2_000 }, (_, n) => wait(`w${n}`, { wait: { seconds: n === 0 ? 60 : 3_600 } }))
  const id = await world.change(stage('r', waits, { child_execution_strategy: 'parallel' }))
  await world.admit()
  await withClient(world.own.ownerUrl, owner => owner.query('vacuum analyze steps, activities'))
  const read = () =>
    world.database.transaction(async tx => {
      const before = await readSoFar(tx, 'steps')
      return { due: await activitiesToWake(tx, [], 100), rows: (await readSoFar(tx, 'steps')) - before }
    })
  assert.deepEqual(await read(), { due: [], rows: 0 })
  await world.moveClock('61 seconds')
  assert.deepEqual(await read(), { due: [id], rows: 1 })
  await world.clear()
})
