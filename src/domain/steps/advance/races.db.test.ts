import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed, result } from '../../../../tests/support/engine-world.ts'
import { readSoFar } from '../../../../tests/support/rows-read.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import type { StepDefinition } from '../rules/step-definition.ts'
import { applyResults } from './results.tx.ts'

const world = await engineWorld()
afterEach(() => world.consistent())
after(() => world.end())

const pair = stage('p', [step('a'), step('b')], { child_execution_strategy: 'parallel' })

test('of 100 changes whose last two steps end at the same moment, none is stuck', async () => {
  for (let round = 0; round < 100; round += 1) {
    const id = await world.change(pair)
    await world.admit()
    const held = await world.claim(id, await world.runnerOf(id))
    await Promise.all(held.map(each => world.report(each)))
    assert.equal(await world.status(id), 'success')
  }
})

test('a cancel and the end of the last step meet: whoever comes first decides, and all of it agrees', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 60; round += 1) {
    const id = await world.change(step('a'))
    await world.admit()
    const [held] = await world.claim(id, await world.runnerOf(id))
    const report = () => world.report(held!)
    const cancel = () => world.cancel(id)
    const [first, second] = round % 2 ? [report(), cancel()] : [cancel(), report()]
    const answers = await Promise.all([first, second])
    const answer = answers.find(each => typeof each === 'string')
    const { status, cancelled_by } = await world.activity(id)
    assert.equal(status, answer === 'final' ? 'success' : 'cancelled')
    assert.equal(cancelled_by, answer === 'final' ? null : 'bob')
    const ends = (await world.events(id)).filter(each => /^api:changes:(?!start)/.test(each))
    assert.deepEqual(ends, [`api:changes:${answer === 'final' ? 'success' : 'cancel'}`])
    seen.add(status)
  }
  assert.equal(seen.size, 2, 'both orders have been met')
})

test('a step is claimed once, however many ask', async () => {
  const id = await world.change(step('a'))
  await world.admit()
  const runner = await world.runnerOf(id)
  const claims = await Promise.all(Array.from({ length: 8 }, () => world.claim(id, runner)))
  assert.equal(claims.flat().length, 1)
  await world.report(claims.flat()[0]!)
})

test('a result that comes twice at the same moment is applied once', async () => {
  const id = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  const answers = await Promise.all([world.report(a!), world.report(a!), world.report(a!)])
  assert.deepEqual(answers.map(each => each.verdict).sort(), ['applied', 'repeated', 'repeated'])
  await world.cancel(id)
})

test('a runner is found lost at the moment its result comes: one of them counts', async () => {
  for (let round = 0; round < 20; round += 1) {
    const id = await world.change(stage('r', [step('a'), step('b')]), { settings: { onRunnerLost: 'restart' } })
    await world.admit()
    const [a] = await world.claim(id, await world.runnerOf(id))
    const [{ verdict }] = await Promise.all([world.report(a!), world.lose(id)])
    const [next] = await world.claim(id, await world.runnerOf(id))
    assert.equal(next!.full_path, verdict === 'applied' ? 'r/b' : 'r/a')
    await world.cancel(id)
    await world.lose(id)
    assert.equal(await world.status(id), 'cancelled')
  }
})

test('a failure before ten thousand steps aborts them all by one statement', async () => {
  const id = await world.change(stage('r', [step('a'), stage('many', times(10_000, step))]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  await world.report(a!, failed)
  const counts = await world.database.rows(
    sql`select status, count(*) from steps where activity_id = ${id} group by status order by status`,
  )
  assert.deepEqual(counts, [
    { status: 'aborted', count: 10_001 },
    { status: 'error', count: 2 },
  ])
})

test('the end of a step reads as much among ten thousand siblings as among sixty, however young the statistics', async () => {
  /** Rows of `steps` read by a report, of each of 20 in a row. */
  const reads = async (siblings: number) => {
    const id = await world.change(stage('r', times(siblings, step)))
    await world.admit()
    const claimer = { runnerId: await world.runnerOf(id), limit: 100 }
    let [held] = await world.claim(id, claimer.runnerId)
    const counts: number[] = []
    for (let at = 0; at < 20; at += 1) {
      const given = { activityId: id, results: [result(held!)], claimer }
      const { before, claimed, after } = await world.database.transaction(async tx => ({
        before: await readSoFar(tx, 'steps'),
        ...(await applyResults(world.parts, tx, given)),
        after: await readSoFar(tx, 'steps'),
      }))
      counts.push(after - before)
      held = claimed[0]
    }
    await world.cancel(id)
    await world.lose(id)
    return counts
  }
  await reads(60)
  await withClient(world.own.ownerUrl, owner => owner.query('analyze steps, activities'))
  const few = Math.max(...(await reads(60)))
  const many = Math.max(...(await reads(10_000)))
  assert.ok(many <= few, `${few} rows among 60, ${many} among 10,000`)
})

const times = (count: number, make: (name: string) => StepDefinition) =>
  Array.from({ length: count }, (_, at) => make(`s${at}`))

test('150 random changes with random outcomes, cancels and lost runners all end, with every counter right', async () => {
  await world.limit(400)
  await fc.assert(
    fc.asyncProperty(trees, fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }), async (tree, chances) => {
      let chance = 0
      const dice = (sides: number) => (chances[chance++ % chances.length]! + chance) % sides
      const id = await world.change(tree, {
        settings: { onRunnerLost: dice(2) ? 'restart' : 'error', parallelSteps: 1 + dice(4) },
      })
      await world.admit()
      const held = new Map<string, Awaited<ReturnType<typeof world.claim>>[number]>()
      for (let tick = 0; tick < 300; tick += 1) {
        const status = await world.status(id)
        if (['success', 'error', 'cancelled', 'aborted', 'system_error'].includes(status)) return
        if (status === 'waiting') {
          await world.moveClock('100 seconds')
          await world.timers()
          await world.admit()
          continue
        }
        const runner = await world.runnerOf(id)
        for (const each of await world.claim(id, runner)) held.set(each.id, each)
        const luck = dice(25)
        if (luck === 0) {
          await world.cancel(id)
        } else if (luck === 1) {
          await world.lose(id)
          held.clear()
        } else {
          const batch = [...held.values()].slice(0, 1 + dice(3))
          for (const each of batch) held.delete(each.id)
          const results = batch.map(each => result(each, dice(5) === 0 ? failed : {}))
          const { claimed } = await world.reports(id, results, runner)
          for (const each of claimed) held.set(each.id, each)
        }
      }
      assert.fail(`it does not end: ${JSON.stringify(await world.statuses(id))}`)
    }),
    { numRuns: 150, seed: 20_261_121, endOnFailure: true },
  )
})

const treeOf: (depth?: number) => fc.Arbitrary<StepDefinition> = fc.memo(depth =>
  fc
    .record({
      kind: fc.constantFrom('step', 'step', 'stage', 'stage', 'wait'),
      parallel: fc.boolean(),
      ignore: fc.nat(3),
      skip: fc.nat(8),
      children: depth > 1 ? fc.array(treeOf(), { maxLength: 4, size: 'max' }) : fc.constant([]),
    })
    .map(({ kind, parallel, ignore, skip, ...beneath }) => {
      const children = [...(beneath.children ?? [])]
      const over = {
        children,
        child_execution_strategy: parallel ? ('parallel' as const) : ('sequential' as const),
        ignore_failure: ignore === 0,
        skip_requested: skip === 0,
      }
      if (kind === 'wait') return wait('w', { ...over, wait: { seconds: 90 } })
      return kind === 'stage' ? stage('g', children, over) : step('s', over)
    }),
)
const trees = treeOf(4)
