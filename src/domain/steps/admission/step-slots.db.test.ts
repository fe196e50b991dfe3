import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { type Sql, sql } from '#platform/db/sql.ts'
import { engineWorld } from '../../../../tests/support/engine-world.ts'
import { readSoFar } from '../../../../tests/support/rows-read.ts'
import { stage, step } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import type { StepDefinition } from '../rules/step-definition.ts'
import { nextAdmissible, poolsWithWork } from './admission.store.ts'
import { awaited, oldestInProgress, type WaitingActivity } from './in-progress.sql.ts'
import { whyActivityWaits, whyStepWaits } from './waiting.store.ts'

const world = await engineWorld()
beforeEach(async () => {
  world.maintenance = 'disabled'
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

const nobody = { mode: 'disabled', superusers: [], by: null, since: '' } as const
const why = async (id: string) => {
  const reason = await whyActivityWaits(world.database, id, nobody)
  return reason && `${reason.kind} ${reason.by}`
}
const whyStep = async (activityId: string, fullPath: string) => {
  const row = await world.database.one(sql<{ id: string }>`
    select id from steps where activity_id = ${activityId} and full_path = ${fullPath}`)
  const reason = await whyStepWaits(world.database, row!.id, nobody)
  return reason && `${reason.kind} ${reason.by}`
}

test('each step that runs has a slot and a runner of its own, and a third stands in line for one of two', async () => {
  await world.limit(2)
  const id = await stepwise(three())
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(id)), ['r/a', 'r/b'])
  const { 'r/a': a, 'r/b': b } = await world.takeUp(id)
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'running', 'r/b': 'running', 'r/c': 'queued' })
  assert.deepEqual([await world.slotsUsed(), await whyStep(id, 'r/c'), await why(id)], [2, 'slot runner', undefined])
  const [full] = await world.database.rows(
    sql`select attributes from events where type = 'warn:resource_slot_pool:full'`,
  )
  assert.deepEqual(full, { attributes: { pool: 'runner', configured_limit: 2 } })
  await world.consistent()

  const own = (await world.runnersOfSteps(id))['r/a']!
  assert.deepEqual((await world.report(a!, {}, own.id)).claimed, [], 'its runner takes no other step')
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [1, ['r/b']])
  await world.consistent()
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(id)), ['r/b', 'r/c'])
  assert.equal(await whyStep(id, 'r/c'), undefined, 'its runner is on its way')
  const { 'r/c': c } = await world.takeUp(id)
  await world.report(c!)
  await world.report(b!)
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['success', 0])
})

test('a runner takes the step that it is for, and that only while a slot is held for it', async () => {
  await world.limit(1)
  const id = await stepwise(three())
  await world.admit()
  const { 'r/a': runner } = await world.runnersOfSteps(id)
  assert.deepEqual(await world.claim(id, runner!.id), [], 'a runner of no step takes none')
  const { 'r/a': a } = await world.takeUp(id)
  assert.deepEqual(await world.claim(id, runner!.id, { stepId: a!.id }), [])
  await world.database.transaction(async tx => {
    const other = await tx.one(sql<{ id: string }>`
      select id from steps where activity_id = ${id} and full_path = 'r/b'`)
    await tx.count(sql`update runners set step_id = ${other!.id} where id = ${runner!.id}`)
  })
  const [moved] = Object.values(await world.runnersOfSteps(id))
  assert.deepEqual(await world.claim(id, moved!.id, { stepId: moved!.stepId }), [])
  await world.database.count(sql`update runners set step_id = ${a!.id} where id = ${runner!.id}`)
})

test('within a change no more run at once than parallel_change_worker_steps, whatever is free', async () => {
  const id = await stepwise(three(), { settings: { parallelSteps: 2 } })
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(id)), ['r/a', 'r/b'])
  assert.equal(await whyStep(id, 'r/c'), 'slot parallel_change_worker_steps')
  const { 'r/b': b } = await world.takeUp(id)
  await world.report(b!)
  await world.admit()
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [2, ['r/a', 'r/c']])
})

test('steps one after the other hold one slot at a time, each in another runner, and the change goes on running', async () => {
  await world.limit(1)
  const id = await stepwise(stage('r', [step('a'), step('b')]))
  await world.admit()
  const first = (await world.runnersOfSteps(id))['r/a']!
  await world.report((await world.takeUp(id))['r/a']!, {}, first.id)
  assert.deepEqual([await world.status(id), await world.slotsUsed(), await why(id)], ['running', 0, undefined])
  await world.admit()
  const second = (await world.runnersOfSteps(id))['r/b']!
  assert.notEqual(second.id, first.id)
  await world.report((await world.takeUp(id))['r/b']!)
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['success', 0])
})

test('a free slot goes to an admitted change that has none, then to a new change, then to further steps, fewest first', async () => {
  await world.limit(1)
  const sequence = await stepwise(stage('r', [step('a'), step('b')]))
  await world.admit()
  const fresh = await world.change(step('new'))
  const wide = await stepwise(three())
  await world.report((await world.takeUp(sequence))['r/a']!)
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(sequence)), ['r/b'], 'what was let in goes on')
  assert.deepEqual([await world.status(fresh), await world.status(wide)], ['pending', 'pending'])
  await world.limit(3)
  await world.admit()
  assert.deepEqual([await world.status(fresh), await world.status(wide)], ['running', 'running'])
  assert.deepEqual(Object.keys(await world.runnersOfSteps(wide)), ['r/a'])
  const wider = await stepwise(stage('r', [step('a'), step('b'), step('c'), step('d')], parallel))
  await world.limit(6)
  await world.admit()
  assert.deepEqual(
    [Object.keys(await world.runnersOfSteps(wide)), Object.keys(await world.runnersOfSteps(wider))],
    [
      ['r/a', 'r/b'],
      ['r/a', 'r/b'],
    ],
  )
})

test('an admitted change whose next step finds the pool full says so', async () => {
  await world.limit(1)
  const id = await stepwise(stage('r', [step('a'), step('b')]))
  await world.admit()
  await world.limit(0)
  await world.report((await world.takeUp(id))['r/a']!)
  await world.admit()
  assert.deepEqual(
    [await world.slotsUsed(), await why(id), await whyStep(id, 'r/b')],
    [0, 'slot runner', 'slot runner'],
  )
  const [drained] = await world.database.rows(oldestInProgress(1) as Sql<{ waits: WaitingActivity }>)
  const { kind, by } = awaited(drained!.waits)!
  assert.deepEqual([kind, by], ['slot', 'runner'])
  await world.limit(1)
  await world.admit()
  assert.deepEqual([await why(id), await whyStep(id, 'r/b')], [undefined, undefined])
})

test('a lowered limit lets the steps above it run out, and none begins before', async () => {
  await world.limit(3)
  const id = await stepwise(stage('r', [step('a'), step('b'), step('c'), step('d')], parallel))
  await world.admit()
  const held = await world.takeUp(id)
  await world.limit(1)
  for (const path of ['r/b', 'r/c']) {
    await world.report(held[path]!)
    await world.admit()
    assert.equal((await world.statuses(id))['r/d'], 'queued')
  }
  assert.deepEqual([await world.slotsUsed(), Object.keys(await world.runnersOfSteps(id))], [1, ['r/a']])
  await world.report(held['r/a']!)
  await world.admit()
  assert.deepEqual(Object.keys(await world.runnersOfSteps(id)), ['r/d'])
})

test('maintenance does not hold the further steps of an admitted change', async () => {
  await world.limit(2)
  const id = await stepwise(stage('r', [step('a'), step('b')]))
  await world.admit()
  world.maintenance = 'enabled'
  await world.report((await world.takeUp(id))['r/a']!)
  const held = await world.change(step('x'))
  await world.admit()
  assert.deepEqual([Object.keys(await world.runnersOfSteps(id)), await world.status(held)], [['r/b'], 'pending'])
})

test('one that was admitted with a slot of its own goes on as it began', async () => {
  const id = await world.change(three())
  await world.admit()
  await world.database.count(sql`update activities set pod_per_step = true where id = ${id}`)
  const runner = await world.runnerOf(id)
  const held = await world.claim(id, runner)
  assert.equal(held.length, 3)
  for (const each of held) await world.report(each, {}, runner)
  assert.deepEqual([await world.status(id), await world.slotsUsed()], ['success', 0])
})

test('among 20,000 changes that wait for others, what admission reads to find a step that lacks a slot is little', async () => {
  await world.limit(1)
  await world.change(step('a'), { name: 'first' })
  await world.admit()
  await world.database.count(sql`
    insert into activities (kind, status, node_id, project_id, path, name_key, head, created_by)
    select kind, 'pending', node_id, project_id, path, name_key, false, created_by
      from activities, generate_series(1, 20000) n`)
  await withClient(world.own.ownerUrl, owner => owner.query('vacuum analyze activities'))
  const id = await stepwise(three())
  await world.limit(2)
  await world.admit()
  await world.limit(3)
  const rows = await world.database.transaction(async tx => {
    const before = await readSoFar(tx, 'activities')
    const [pool] = await poolsWithWork(tx)
    const next = await nextAdmissible(tx, pool!, { mode: 'disabled', superusers: [] })
    assert.deepEqual([pool!.steps_wait, next?.id], [true, id])
    return (await readSoFar(tx, 'activities')) - before
  })
  assert.ok(rows <= 8, `${rows} rows were read`)
})
