import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { engineWorld, failed } from '../../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import type { StepDefinition } from '../rules/step-definition.ts'

const world = await engineWorld()
beforeEach(async () => {
  await world.limit(15)
})
afterEach(async () => {
  await world.consistent()
  await world.clear()
})
after(() => world.end())

const parallel = { child_execution_strategy: 'parallel' } as const
const three = () => stage('r', [step('a'), step('b'), step('c')], parallel)

const stepwise = (tree: StepDefinition, settings: Parameters<typeof world.change>[1] = {}) =>
  world.change(tree, { ...settings, settings: { podPerStep: true, ...settings.settings } })

const asks = (name: string, children: StepDefinition[] = []) =>
  wait(name, { requires_approval_from: [{ user_names: ['eve'] }], children })

test('what waits holds no slot, and what goes on after it stands in line before new changes', async () => {
  await world.limit(1)
  const id = await stepwise(stage('r', [step('a'), wait('w'), step('b')]))
  await world.admit()
  await world.report((await world.takeUp(id))['r/a']!)
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['waiting', 0])
  const other = await world.change(step('x'))
  await world.admit()
  const fresh = await world.change(step('y'))
  await world.goOn(id, 'r/w')
  await world.admit()
  assert.equal(await world.status(id), 'queued')
  const [only] = await world.claim(other, await world.runnerOf(other))
  await world.report(only!)
  await world.admit()
  assert.deepEqual([await world.status(id), await world.status(fresh)], ['running', 'pending'])
  await world.report((await world.takeUp(id))['r/b']!)
  assert.equal(await world.status(id), 'success')
})

test('one that begins with an approval claims nothing before it is given, and a wait beside a step holds nothing', async () => {
  const begins = await stepwise(asks('r', [step('a')]))
  const beside = await stepwise(stage('r', [step('a'), wait('w')], parallel))
  await world.admit()
  assert.deepEqual([await world.status(begins), await world.slotsUsed()], ['waiting', 1])
  await world.report((await world.takeUp(beside))['r/a']!)
  assert.deepEqual([await world.status(beside), await world.slotsUsed()], ['waiting', 0])
  await world.approve(begins, 'r', 'eve')
  await world.admit()
  assert.deepEqual([await world.status(begins), await world.slotsUsed()], ['running', 1])
})

test('a cancel ends what stands in line at once, and what runs gives its slot back when it is known to be over', async () => {
  await world.limit(2)
  const id = await stepwise(three())
  await world.admit()
  const { 'r/a': runner } = await world.runnersOfSteps(id)
  const [a] = await world.claim(id, runner!.id, { stepId: runner!.stepId })
  assert.equal(await world.cancel(id), 'cancelling')
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'running', 'r/b': 'cancelled', 'r/c': 'cancelled' })
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [1, ['r/a']])
  await world.consistent()
  await world.report(a!, { outcome: 'cancelled', errorMessage: 'stopped' })
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['cancelled', 0])
})

test('a reject gives back the slots of what stands in line', async () => {
  const id = await stepwise(stage('r', [asks('ok'), step('a'), step('b')], parallel))
  await world.admit()
  const { 'r/a': runner } = await world.runnersOfSteps(id)
  const [a] = await world.claim(id, runner!.id, { stepId: runner!.stepId })
  await world.reject(id, 'r/ok', 'eve')
  assert.equal(await world.slotsUsed(), 1)
  await world.consistent()
  await world.report(a!)
  assert.deepEqual([(await world.activity(id)).reported_status, await world.slotsUsed()], ['rejected', 0])
})

test('a pause gives back the slots of what has not begun, and a resume claims them again', async () => {
  await world.limit(2)
  const id = await stepwise(three())
  await world.admit()
  const { 'r/a': runner, 'r/b': lost } = await world.runnersOfSteps(id)
  const [a] = await world.claim(id, runner!.id, { stepId: runner!.stepId })
  await world.pause(id)
  await world.admit()
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [1, ['r/a']])
  assert.deepEqual(await world.claim(id, lost!.id, { stepId: lost!.stepId }), [])
  await world.consistent()
  await world.report(a!)
  assert.deepEqual([(await world.activity(id)).pause_state, await world.slotsUsed()], ['paused', 0])
  await world.resume(id)
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(id)), ['r/b', 'r/c'])
  // The end of the runner that was let go is noted after another was asked for.
  await world.lose(id, lost!.id)
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [2, ['r/b', 'r/c']])
})

test('a lost runner fails its own step, and leaves those of the others alone', async () => {
  const id = await stepwise(three())
  await world.admit()
  const runners = await world.runnersOfSteps(id)
  const held = await world.takeUp(id)
  await world.lose(id, runners['r/b']!.id)
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'running', 'r/b': 'error', 'r/c': 'running' })
  assert.equal(await world.slotsUsed(), 2)
  await world.consistent()
  await world.report(held['r/a']!)
  await world.report(held['r/c']!)
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['error', 0])
})

test('under restart a lost step stands in line again, and is run by another runner under a new fence', async () => {
  await world.limit(1)
  const id = await stepwise(three(), { settings: { onRunnerLost: 'restart' } })
  await world.admit()
  const { 'r/a': first } = await world.runnersOfSteps(id)
  const before = (await world.takeUp(id))['r/a']!
  await world.lose(id, first!.id)
  assert.deepEqual([(await world.statuses(id))['r/a'], await world.slotsUsed()], ['queued', 0])
  await world.consistent()
  await world.admit()
  const again = (await world.takeUp(id))['r/a']!
  assert.deepEqual([again.attempt, again.fence > before.fence], [2, true])
  assert.equal((await world.report(before)).verdict, 'stale')
  assert.equal(await world.slotsUsed(), 1)
})

test('a runner that is lost before it took its step gives the slot back, and the next one comes', async () => {
  const id = await stepwise(step('a'))
  await world.admit()
  const { a: first } = await world.runnersOfSteps(id)
  await world.lose(id, first!.id)
  assert.deepEqual([(await world.statuses(id))['a'], await world.slotsUsed()], ['queued', 0])
  await world.admit()
  const { a: second } = await world.runnersOfSteps(id)
  assert.notEqual(second!.id, first!.id)
  await world.report((await world.takeUp(id))['a']!)
  assert.equal(await world.status(id), 'success')
})

test('a change that cannot go on, or of which a step fails, gives back everything', async () => {
  const broken = await stepwise(three())
  const fails = await stepwise(stage('r', [step('a'), step('b')]))
  await world.admit()
  await world.takeUp(broken)
  await world.breakOff(broken, 'no runner could be started')
  assert.deepEqual([await world.status(broken), await world.slotsUsed()], ['system_error', 1])
  await world.report((await world.takeUp(fails))['r/a']!, failed)
  assert.deepEqual([await world.status(fails), await world.slotsUsed()], ['error', 0])
})
