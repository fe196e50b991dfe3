import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { stage, step } from '../../../../tests/support/step-trees.ts'
import { attemptsOf, claimedSteps, newsOf, placeOfAttempt, placeOfToken, stepsAbove } from './attempts.store.ts'

const world = await engineWorld()
const { database } = world
afterEach(() => world.consistent())
after(() => world.end())

const attemptOf = (held: { id: string; attempt: number; fence: number }) => ({
  stepId: held.id,
  attempt: held.attempt,
  fence: held.fence,
})

test('a runner hears that steps wait for it, as long as one more may run, and what it is to stop', async () => {
  const parallel = stage('p', [step('a'), step('b'), step('c')], { child_execution_strategy: 'parallel' })
  const id = await world.change(parallel, { settings: { parallelSteps: 2 } })
  await world.admit()
  const runner = await world.runnerOf(id)
  assert.deepEqual(await newsOf(database, [runner]), [{ runnerId: runner, queued: true, cancel: [] }])
  const held = await world.claim(id, runner)
  assert.equal((await newsOf(database, [runner]))[0]?.queued, false)
  await world.cancel(id)
  const [news] = await newsOf(database, [runner])
  assert.deepEqual(
    news!.cancel.map(each => each.stepId),
    held.map(each => each.id),
  )
  assert.equal(news!.cancel[0]!.reason, 'cancelled by bob')
  await world.lose(id)
})

test('what a runner holds can be told again in the words of the claim, until the attempt is over', async () => {
  const id = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  const runner = await world.runnerOf(id)
  const held = await world.claim(id, runner)
  const attempts = await attemptsOf(database, runner)
  assert.deepEqual(attempts, held.map(attemptOf))
  assert.deepEqual(await claimedSteps(database, attempts), held)
  assert.equal((await placeOfAttempt(database, attempts[0]!))?.activityId, id)
  assert.equal(await placeOfAttempt(database, { ...attempts[0]!, fence: attempts[0]!.fence - 1 }), undefined)
  assert.deepEqual(
    (await stepsAbove(database, [held[0]!.id])).map(above => above.full_path),
    ['r'],
  )
  await world.report(held[0]!)
  assert.deepEqual(await attemptsOf(database, runner), [])
  assert.deepEqual(await claimedSteps(database, attempts), [])
  assert.equal(await placeOfAttempt(database, attempts[0]!), undefined)
})

test('a step’s token is good for the newest attempt, while that is under way and not for longer than it says', async () => {
  const id = await world.change(step('a'))
  await world.admit()
  const [held] = await world.claim(id, await world.runnerOf(id))
  const place = (over: { fence?: number; minutes?: number } = {}) =>
    database.one(placeOfToken({ stepId: held!.id, fence: held!.fence, minutes: 30, ...over }))
  assert.deepEqual(await place(), { project_id: world.project, path: '/projects/bank/assets/web' })
  assert.equal(await place({ fence: held!.fence - 1 }), undefined)
  await world.moveClock('31 minutes')
  assert.equal(await place(), undefined)
  assert.ok(await place({ minutes: 60 }))
  await world.report(held!)
  assert.equal(await place({ minutes: 60 }), undefined)
})
