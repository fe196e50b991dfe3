import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed, result } from '../../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'

const world = await engineWorld()
afterEach(() => world.consistent())
after(() => world.end())

test('a change runs its sequence step by step, each handed over with the result of the one before', async () => {
  const id = await world.change(stage('release', [step('build'), step('ship')]))
  assert.equal(await world.status(id), 'pending')
  await world.admit()
  assert.equal(await world.status(id), 'running')
  const runner = await world.runnerOf(id)
  const [build] = await world.claim(id, runner)
  assert.equal(build!.full_path, 'release/build')
  assert.deepEqual(JSON.parse(build!.definition!), { bodies: [{ run: 'build' }] })
  const { verdict, claimed } = await world.report(build!, {}, runner)
  assert.equal(verdict, 'applied')
  assert.equal(claimed[0]!.full_path, 'release/ship')
  assert.ok(claimed[0]!.fence > build!.fence)
  await world.report(claimed[0]!, {}, runner)
  assert.deepEqual(await world.statuses(id), {
    release: 'success',
    'release/build': 'success',
    'release/ship': 'success',
  })
  const ended = await world.activity(id)
  assert.deepEqual([ended.status, ended.holds_slot], ['success', false])
  assert.deepEqual(await world.events(id), [
    'api:changes:start',
    'api:steps:start release',
    'api:steps:start release/build',
    'api:steps:success release/build',
    'api:steps:start release/ship',
    'api:steps:success release/ship',
    'api:steps:success release',
    'api:changes:success',
  ])
})

test('a failure in a sequence aborts what follows, and the change ends in error', async () => {
  const id = await world.change(stage('r', [step('a'), stage('b', [step('c')])]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  await world.report(a!, failed)
  assert.deepEqual(await world.statuses(id), { r: 'error', 'r/a': 'error', 'r/b': 'aborted', 'r/b/c': 'aborted' })
  assert.equal(await world.status(id), 'error')
  assert.ok((await world.events(id)).includes('error:step:action r/a'))
  const kept = await world.database.one(sql`select exit_code, error_message from steps where id = ${a!.id}`)
  assert.deepEqual(kept, { exit_code: 3, error_message: 'exit code 3' })
})

test('no more steps run at once than the settings allow, and the next begins when one ends', async () => {
  const parallel = stage(
    'p',
    ['a', 'b', 'c', 'd'].map(name => step(name)),
    { child_execution_strategy: 'parallel' },
  )
  const id = await world.change(parallel, { settings: { parallelSteps: 2 } })
  await world.admit()
  const runner = await world.runnerOf(id)
  const first = await world.claim(id, runner)
  assert.deepEqual(
    first.map(each => each.step_name),
    ['a', 'b'],
  )
  assert.deepEqual(await world.claim(id, runner), [])
  const { claimed } = await world.report(first[1]!, {}, runner)
  assert.deepEqual(
    claimed.map(each => each.step_name),
    ['c'],
  )
})

test('results that wait are applied together', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `s${at}`)
  const parallel = stage(
    'p',
    names.map(name => step(name)),
    { child_execution_strategy: 'parallel' },
  )
  const id = await world.change(parallel, { settings: { parallelSteps: 100 } })
  await world.admit()
  const held = await world.claim(id, await world.runnerOf(id))
  const { verdicts } = await world.reports(
    id,
    held.map(each => result(each)),
  )
  assert.deepEqual(new Set(verdicts), new Set(['applied']))
  assert.equal(await world.status(id), 'success')
})

test('a result is applied once: again it is acknowledged, and under an older fence refused', async () => {
  const id = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  const runner = await world.runnerOf(id)
  const [a] = await world.claim(id, runner)
  const stale = await world.report({ ...a!, fence: a!.fence - 1 })
  assert.equal(stale.verdict, 'stale')
  assert.equal((await world.report(a!, { seq: 7 })).verdict, 'applied')
  assert.equal((await world.report(a!, { seq: 7 })).verdict, 'repeated')
  assert.equal((await world.report(a!, { seq: 8 })).verdict, 'stale')
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'success', 'r/b': 'queued' })
  await world.report((await world.claim(id, runner))[0]!)
})

test('what a result reports is kept with the end of its step, or undone with it', async () => {
  const id = await world.change(stage('r', [step('a')]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  world.storeResult = async tx => {
    await tx.count(sql`insert into event_throttles values ('kept by a step', sluice_now())`)
    return { conflict: 'the patch no longer applies' }
  }
  await world.report(a!, { propertiesDiffs: { asset: [{ op: 'add', path: '/port', value: 1 }] } })
  world.storeResult = async () => ({})
  assert.equal(await world.status(id), 'error')
  const row = await world.database.one(
    sql<{ error_message: string }>`select error_message from steps where id = ${a!.id}`,
  )
  assert.equal(row!.error_message, 'the patch no longer applies')
  assert.equal(await world.database.one(sql`select from event_throttles where key = 'kept by a step'`), undefined)
})

test('steps that a body adds hang under it and run before it ends', async () => {
  const id = await world.change(stage('r', [step('a', { children: [step('old')] }), step('z')]))
  await world.admit()
  const runner = await world.runnerOf(id)
  const [a] = await world.claim(id, runner)
  world.storeResult = async () => ({ childSteps: [step('new'), step('New'), stage('g', [step('deep')])] })
  const { claimed } = await world.report(
    a!,
    { childSteps: [{}], replaceChildSteps: true, childExecutionStrategy: 'parallel' },
    runner,
  )
  world.storeResult = async () => ({})
  assert.deepEqual(
    claimed.map(each => each.full_path),
    ['r/a/new-1', 'r/a/New-2', 'r/a/g/deep'],
  )
  for (const each of claimed) await world.report(each)
  assert.deepEqual(Object.keys(await world.statuses(id)), [
    'r',
    'r/a',
    'r/a/new-1',
    'r/a/New-2',
    'r/a/g',
    'r/a/g/deep',
    'r/z',
  ])
  await world.report((await world.claim(id, runner))[0]!)
  assert.equal(await world.status(id), 'success')
})

test('a wait step continues by itself when its time has come, and its change holds no slot after a while', async () => {
  const id = await world.change(stage('r', [step('a'), wait('settle', { wait: { seconds: 600 } }), step('b')]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  await world.report(a!)
  const waiting = await world.activity(id)
  assert.deepEqual([waiting.status, waiting.holds_slot], ['waiting', true])
  await world.moveClock('31 seconds')
  await world.admit()
  assert.equal((await world.activity(id)).holds_slot, false)
  await world.timers()
  assert.equal(await world.status(id), 'waiting')
  await world.moveClock('600 seconds')
  await world.timers()
  assert.equal(await world.status(id), 'queued')
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.activity(id)).holds_slot], ['running', true])
  await world.report((await world.claim(id, await world.runnerOf(id)))[0]!)
  assert.equal(await world.status(id), 'success')
})

test('a wait step continues by itself at the time that it names, and at once when that is over', async () => {
  const times = await world.database.one(sql<{ over: string; later: string }>`
    select sluice_now() - interval '1 hour' as over, sluice_now() + interval '1 hour' as later`)
  const { over, later } = times!
  const id = await world.change(
    stage('r', [wait('over', { wait: { until: over } }), wait('later', { wait: { until: later } })]),
  )
  await world.admit()
  await world.timers()
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/over': 'success', 'r/later': 'waiting' })
  await world.moveClock('59 minutes')
  await world.timers()
  assert.equal(await world.status(id), 'waiting')
  await world.moveClock('1 minute')
  await world.timers()
  assert.equal(await world.status(id), 'success')
})

test('a change that begins by waiting for an approval is started, and takes no slot', async () => {
  const approval = wait('approve', { requires_approval_from: [{ user_names: ['eve'] }], children: [step('a')] })
  const id = await world.change(approval)
  await world.admit()
  const { reported_status, holds_slot } = await world.activity(id)
  assert.deepEqual([reported_status, holds_slot], ['waiting_for_approval', false])
  assert.equal((await world.database.rows(sql`select from runners where activity_id = ${id}`)).length, 0)
  await world.cancel(id)
})

test('a cancel ends at once what does not run; the rest when it is known to have ended', async () => {
  const id = await world.change(
    stage('p', [step('a'), step('b'), step('c')], { child_execution_strategy: 'parallel' }),
    {
      settings: { parallelSteps: 1 },
    },
  )
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  assert.equal(await world.cancel(id), 'cancelling')
  assert.equal(await world.cancel(id), 'already')
  assert.deepEqual(await world.statuses(id), { p: 'running', 'p/a': 'running', 'p/b': 'cancelled', 'p/c': 'cancelled' })
  assert.equal(await world.status(id), 'running')
  await world.report(a!, { outcome: 'cancelled', exitCode: null, errorMessage: 'killed by SIGTERM' })
  assert.deepEqual(await world.statuses(id), {
    p: 'cancelled',
    'p/a': 'cancelled',
    'p/b': 'cancelled',
    'p/c': 'cancelled',
  })
  const ended = await world.activity(id)
  assert.deepEqual([ended.status, ended.cancelled_by], ['cancelled', 'bob'])
  assert.equal(await world.cancel(id), 'final')
})

test('a pending change is cancelled where it stands, and the next of its name may start', async () => {
  const first = await world.change(step('a'), { name: 'Deploy web' })
  const second = await world.change(step('a'), { name: 'deploy WEB' })
  assert.equal(await world.cancel(first), 'cancelled')
  await world.admit()
  assert.equal(await world.status(second), 'running')
  await world.cancel(second)
  await world.lose(second)
})

test('the steps of a lost runner fail, saying so', async () => {
  const id = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  await world.claim(id, await world.runnerOf(id))
  await world.lose(id)
  assert.deepEqual(await world.statuses(id), { r: 'error', 'r/a': 'error', 'r/b': 'aborted' })
  const row = await world.database.one(
    sql<{ error_message: string }>`select error_message from steps where activity_id = ${id} and full_path = 'r/a'`,
  )
  assert.equal(row!.error_message, 'The runner was lost: its process is gone')
  assert.ok((await world.events(id)).includes('error:step:processing r/a'))
})

test('with on_runner_lost restart they run again under a new fence, and the old attempt is refused', async () => {
  const id = await world.change(step('a'), { settings: { onRunnerLost: 'restart' } })
  await world.admit()
  const [old] = await world.claim(id, await world.runnerOf(id))
  await world.lose(id)
  assert.equal(await world.status(id), 'running')
  const [again] = await world.claim(id, await world.runnerOf(id))
  assert.deepEqual([again!.id, again!.attempt], [old!.id, 2])
  assert.equal((await world.report(old!)).verdict, 'stale')
  await world.report(again!)
  assert.equal(await world.status(id), 'success')
})

test('a step that loses each of its runners is run five times, and then fails, saying so', async () => {
  const killer = stage('both', [step('killer'), step('beside')], { child_execution_strategy: 'parallel' })
  const id = await world.change(killer, { settings: { onRunnerLost: 'restart' } })
  await world.admit()
  for (const attempt of [1, 2, 3, 4, 5]) {
    const claimed = await world.claim(id, await world.runnerOf(id))
    assert.deepEqual([claimed[0]?.attempt, await world.status(id)], [attempt, 'running'])
    const beside = claimed.find(({ step_name }) => step_name === 'beside')
    if (beside) await world.report(beside)
    await world.lose(id)
  }
  assert.deepEqual(await world.statuses(id), { both: 'error', 'both/killer': 'error', 'both/beside': 'success' })
  const row = await world.database.one(
    sql<{ error_message: string }>`select error_message from steps where activity_id = ${id} and step_name = 'killer'`,
  )
  assert.equal(row!.error_message, 'The runner was lost: its process is gone, as in each of its 5 attempts')
  const earlier = await world.database.rows(sql<{ attempt: number; full_path: string; error_message: string }>`
    select e.attempt, s.full_path, e.error_message
      from step_attempts e join steps s on s.id = e.step_id
     where e.activity_id = ${id} and e.started_at <= e.finished_at and e.runner_id is not null
     order by s.full_path, e.attempt`)
  const lost = { full_path: 'both/killer', error_message: 'The runner was lost: its process is gone' }
  assert.deepEqual(
    earlier,
    [1, 2, 3, 4].map(attempt => ({ attempt, ...lost })),
  )
})

test('what the service cannot carry on ends as system_error and gives its slot back', async () => {
  const id = await world.change(stage('r', [step('a'), step('b')]))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  await world.breakOff(id, 'no runner could be started')
  assert.deepEqual(await world.statuses(id), { r: 'system_error', 'r/a': 'system_error', 'r/b': 'aborted' })
  const { status, error_message } = await world.activity(id)
  assert.deepEqual([status, error_message], ['system_error', 'no runner could be started'])
  assert.equal((await world.report(a!)).verdict, 'stale')
})

test('input arguments are kept sealed', async () => {
  const asked = [{ name: 'token', type: 'string', sensitive: true, default_value: 'hunter2' }]
  const id = await world.change(wait('ask', { step_type: 'input', input_arguments: asked }))
  const row = await world.database.one(
    sql<{ id: string; input_arguments: Buffer }>`select id, input_arguments from steps where activity_id = ${id}`,
  )
  assert.ok(!row!.input_arguments.includes('hunter2'))
  const opened = world.parts.keyring.openText(row!.input_arguments, `steps:${row!.id}:input_arguments`)
  assert.deepEqual(JSON.parse(opened), asked)
  await world.cancel(id)
})
