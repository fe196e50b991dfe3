import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed, result } from '../../../../tests/support/engine-world.ts'
import { stage, step } from '../../../../tests/support/step-trees.ts'
import { withClient } from '../../../../tests/support/template-database.ts'
import type { ClaimedStep } from '../engine.port.ts'
import type { StepDefinition } from '../rules/step-definition.ts'
import { type Prediction, predictNextSteps, predictSuccess, reachesBeyond } from './next-step-prediction.tx.ts'
import { readAhead, type Succeeded, type ToSucceed } from './success-batch.store.ts'
import { SuccessBatches } from './success-batch.tx.ts'

const world = await engineWorld()
const successBatches = new SuccessBatches(world.database, world.parts, (_, given) => sql<string>`${given} || '!'`)
afterEach(() => world.consistent())
after(() => world.end())

interface Begun {
  id: string
  runner: { id: string; session: number }
  held: ClaimedStep
}

/** A change whose runner lives, and has its first step. */
async function begun(tree: StepDefinition): Promise<Begun> {
  const id = await world.change(tree)
  await world.admit()
  const runnerId = await world.runnerOf(id)
  await world.database.count(sql`update runners set status = 'live', session = 1 where id = ${runnerId}`)
  const [held] = await world.claim(id, runnerId)
  return { id, runner: { id: runnerId, session: 1 }, held: held! }
}

const claimerOf = ({ runner }: Begun) => ({ runnerId: runner.id, limit: 100 })

/** Effects of a step's success, if they are predicted. */
async function foreseen(change: Begun, prediction?: Prediction): Promise<ToSucceed | undefined> {
  const seen = prediction ?? (await predictNextSteps(world.database, change.id, [change.held.id]))
  const planned = predictSuccess(seen!, [result(change.held)], claimerOf(change))
  return planned && { ...planned, runner: change.runner, beside: change.id }
}

const succeed = async (change: Begun): Promise<Succeeded | undefined> =>
  successBatches.succeed((await foreseen(change))!)

test('a step ends and the next begins by one statement, which looks one step further each time', async () => {
  const change = await begun(stage('r', [step('a'), step('b'), step('c'), step('d')]))
  let prediction: Prediction | undefined
  for (const next of ['r/b', 'r/c', 'r/d']) {
    const done = (await successBatches.succeed((await foreseen(change, prediction))!))!
    assert.equal(done.beside, `${change.id}!`)
    assert.deepEqual(
      done.claimed.map(each => [each.full_path, each.attempt, each.above?.map(above => above.full_path)]),
      [[next, 1, ['r']]],
    )
    change.held = done.claimed[0]!
    prediction = done.lookFurther().prediction
    await world.consistent()
  }
  assert.deepEqual(await world.statuses(change.id), {
    r: 'running',
    'r/a': 'success',
    'r/b': 'success',
    'r/c': 'success',
    'r/d': 'running',
  })
  assert.equal(await foreseen(change, prediction), undefined, 'the end of all is no succession')
  await world.report(change.held)
  assert.equal(await world.status(change.id), 'success')
})

test('whatever the tree, steps that follow as foreseen leave the same states, counters and events as under the lock', async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.integer({ min: 1, max: 3 }), async (tree, together) => {
      const [foreseeing, locking] = [await toItsEnd(tree, together, true), await toItsEnd(tree, together, false)]
      assert.deepEqual(foreseeing.told, locking.told)
      assert.deepEqual(foreseeing.rows, locking.rows)
    }),
    { numRuns: 40 },
  )
  assert.ok(succeeded > 50, `${succeeded} steps have gone the short way`)
})

test('a sequence longer than what is read at once goes on to its end, one statement a step', async () => {
  for (const length of [readAhead, readAhead + 1, readAhead + 2, 2 * readAhead + 3]) {
    const steps = Array.from({ length }, (_, at) => step(`s${at}`, { skip_requested: at % 7 === 5 }))
    const before = succeeded
    const [foreseeing, locking] = [
      await toItsEnd(stage('r', steps), 1, true),
      await toItsEnd(stage('r', steps), 1, false),
    ]
    assert.deepEqual(foreseeing.told, locking.told)
    assert.deepEqual(foreseeing.rows, locking.rows)
    const skipped = steps.filter((_, at) => at % 7 === 5).length
    assert.equal(succeeded - before, length - skipped - 1, 'all but the last, which ends the change')
  }
})

let succeeded = 0

/**
 * Runs the tree to its end with all steps successful, `together` of them reported at once; by the fast path if `short`,
 * by what was predicted last.
 */
async function toItsEnd(tree: StepDefinition, together: number, short: boolean) {
  const { id, runner, held: first } = await begun(tree)
  const held = [first, ...(await world.claim(id, runner.id))]
  let prediction: Prediction | undefined
  while (held.length > 0) {
    const ids = held.map(step => step.id)
    const results = held.splice(0, together).map(step => result(step))
    prediction ??= short ? await predictNextSteps(world.database, id, ids) : undefined
    const claimer = { runnerId: runner.id, limit: 100 }
    const follows = prediction && predictSuccess(prediction, results, claimer)
    const done = follows && (await successBatches.succeed({ ...follows, runner, beside: id }))
    if (done) succeeded += results.length
    const further = done?.lookFurther()
    prediction = further?.prediction && reachesBeyond(further.prediction) ? further.prediction : undefined
    held.push(...(done ?? (await world.reports(id, results, runner.id))).claimed)
    if (further) assert.deepEqual(further.running.toSorted(), held.map(step => step.id).toSorted())
    await world.consistent()
  }
  const rows = await world.database.rows(sql`
    select full_path, status, body, open_children, failed_children, attempt, result_seq, exit_code, row_version,
           queued_at is not null as queued, started_at is not null as started, finished_at is not null as finished
      from steps where activity_id = ${id} order by tree_order`)
  return { rows, told: await world.events(id) }
}

const leaf = fc.boolean().map(skip_requested => (name: string) => step(name, { skip_requested }))
const { trees } = fc.letrec<{
  trees: StepDefinition
  node: (name: string) => StepDefinition
  group: (name: string) => StepDefinition
}>(tie => ({
  node: fc.oneof({ maxDepth: 3 }, leaf, leaf, tie('group')),
  group: fc.tuple(fc.array(tie('node'), { minLength: 1, maxLength: 4 }), fc.boolean()).map(
    ([nodes, parallel]) =>
      (name: string) =>
        stage(
          name,
          nodes.map((make, at) => make(`${name}${at}`)),
          parallel ? { child_execution_strategy: 'parallel' } : {},
        ),
  ),
  // At least one step that runs.
  trees: tie('group').map(make => stage('r', [step('first'), make('s'), step('last')])),
}))

test('an activity that was cancelled meanwhile stays as it is, and so does one that its runner has another connection for', async () => {
  const cancelled = await begun(stage('r', [step('a'), step('b')]))
  const planned = await foreseen(cancelled)
  await world.cancel(cancelled.id)
  const before = await world.events(cancelled.id)
  assert.equal(await successBatches.succeed(planned!), undefined)
  assert.deepEqual(await world.events(cancelled.id), before)
  await world.report(cancelled.held)
  assert.equal(await world.status(cancelled.id), 'cancelled')

  const superseded = await begun(stage('r', [step('a'), step('b')]))
  await world.database.count(sql`update runners set session = 2 where id = ${superseded.runner.id}`)
  assert.equal(await succeed(superseded), undefined)
  await world.database.count(
    sql`update runners set session = 1, status = 'stopping' where id = ${superseded.runner.id}`,
  )
  assert.equal(await succeed(superseded), undefined, 'a runner that is to stop takes no more')
  assert.deepEqual(await world.statuses(superseded.id), { r: 'running', 'r/a': 'running', 'r/b': 'pending' })
  await world.cancel(superseded.id)
})

test('what fails, brings something, or comes under an older fence is not foreseen', async () => {
  const change = await begun(stage('r', [step('a'), step('b')]))
  const prediction = (await predictNextSteps(world.database, change.id, [change.held.id]))!
  const follows = (over: Parameters<typeof result>[1]) =>
    predictSuccess(prediction, [result(change.held, over)], claimerOf(change))
  assert.ok(follows({}))
  for (const over of [
    failed,
    { outcome: 'cancelled' as const },
    { outputs: {} },
    { childSteps: [] },
    { propertiesDiffs: { asset: [{ op: 'add', path: '/a', value: 1 }] } },
    { fence: change.held.fence - 1 },
  ])
    assert.equal(follows(over), undefined, JSON.stringify(over))
  await world.cancel(change.id)
})

test('several activities go by one statement, and one that is not what was foreseen holds up no other', async () => {
  const changes = await Promise.all([0, 1, 2, 3, 4].map(() => begun(stage('r', [step('a'), step('b')]))))
  const planned = await Promise.all(changes.map(change => foreseen(change)))
  await world.cancel(changes[1]!.id)
  const statements = await executed(() => Promise.all(planned.map(each => successBatches.succeed(each!))))
  assert.deepEqual(
    statements.answer.map(done => done?.claimed.map(each => each.full_path)),
    [['r/b'], undefined, ['r/b'], ['r/b'], ['r/b']],
  )
  assert.ok(statements.count <= 3, `${statements.count}, and not one for each`)
  for (const { id } of changes) await world.cancel(id)
})

test('a statement that waits for an activity which somebody holds keeps no other from going on', async () => {
  const changes = await Promise.all([0, 1, 2].map(() => begun(stage('r', [step('a'), step('b')]))))
  const [held, free, later] = await Promise.all(changes.map(change => foreseen(change)))
  let waits: Promise<unknown> | undefined
  await world.database.transaction(async tx => {
    await tx.one(sql`select from activities where id = ${changes[0]!.id} for update`)
    waits = successBatches.succeed(held!)
    assert.ok(await successBatches.succeed(free!))
    // By now it is known that the first one waits.
    assert.ok(await successBatches.succeed(later!))
  })
  assert.ok(await waits)
  for (const { id } of changes) await world.cancel(id)
})

test('a row that is not what it was in an activity that is, is a bug: nothing of the statement is kept', async () => {
  const [sound, broken] = [
    await begun(stage('r', [step('a'), step('b')])),
    await begun(stage('r', [step('a'), step('b')])),
  ]
  const planned = [await foreseen(sound), await foreseen(broken)]
  await withClient(world.own.ownerUrl, owner =>
    owner.query('update steps set fence = fence + 1000 where id = $1', [broken.held.id]),
  )
  const before = await world.events(sound.id)
  // The first goes alone; the others wait for it and go together.
  const other = await begun(stage('r', [step('a'), step('b')]))
  const alone = successBatches.succeed((await foreseen(other))!)
  const together = await Promise.allSettled(planned.map(each => successBatches.succeed(each!)))
  assert.ok(await alone)
  const reasons = together.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
  assert.match(reasons.join(), /they are not what they were/)
  assert.deepEqual(await world.statuses(broken.id), { r: 'running', 'r/a': 'running', 'r/b': 'pending' })
  if (reasons.length === 2) assert.deepEqual(await world.events(sound.id), before)
  for (const { id } of [sound, broken, other]) await world.cancel(id)
})

test('successions and cancels meet: either goes first, and all of it agrees', async () => {
  const seen = new Set<boolean>()
  for (let round = 0; round < 40; round += 1) {
    const change = await begun(stage('r', [step('a'), step('b')]))
    const planned = await foreseen(change)
    const both = [() => successBatches.succeed(planned!), () => world.cancel(change.id)]
    const [one, other] = round % 2 ? both.toReversed() : both
    const answers = await Promise.all([one!(), other!()])
    const done = answers.find(each => typeof each === 'object')
    seen.add(done !== undefined)
    await world.report(done ? (done as Succeeded).claimed[0]! : change.held, { outcome: 'cancelled' })
    assert.equal(await world.status(change.id), 'cancelled')
  }
  assert.equal(seen.size, 2, 'both orders have been met')
})

/** Runs work and returns its result, with the number of statements that it took. */
async function executed<T>(work: () => Promise<T>): Promise<{ answer: T; count: number }> {
  const { database } = world
  let count = 0
  const { atOnce } = database
  Object.assign(database, {
    atOnce: (query: never) => {
      count += 1
      return atOnce(query)
    },
  })
  try {
    return { answer: await work(), count }
  } finally {
    Object.assign(database, { atOnce })
  }
}
