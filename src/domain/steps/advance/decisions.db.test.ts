import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed } from '../../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import type { StepDefinition } from '../rules/step-definition.ts'

const world = await engineWorld()
afterEach(() => world.consistent())
after(() => world.end())

const parallel = { child_execution_strategy: 'parallel' } as const
const asks = (rules: object[], children: StepDefinition[] = []) =>
  wait('ok', { requires_approval_from: rules, children })
const byEve = [{ user_names: ['eve'] }]

test('a change that waits for approval takes its slot and its runner when it is approved', async () => {
  const id = await world.change(asks(byEve, [step('deploy')]))
  await world.admit()
  assert.deepEqual(
    [(await world.activity(id)).reported_status, (await world.activity(id)).holds_slot],
    ['waiting_for_approval', false],
  )
  assert.deepEqual(await world.approve(id, 'ok', 'eve'), { goesOn: true })
  assert.equal(await world.status(id), 'queued')
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.activity(id)).holds_slot], ['running', true])
  const [deploy] = await world.claim(id, await world.runnerOf(id))
  await world.report(deploy!)
  const { status, approved_by } = await world.activity(id)
  assert.equal(status, 'success')
  assert.deepEqual(
    approved_by.map(({ username, step }) => [username, step]),
    [['eve', 'ok']],
  )
  assert.deepEqual(await world.events(id), [
    'api:changes:start',
    'api:steps:approve ok',
    'api:steps:start ok/deploy',
    'api:steps:success ok/deploy',
    'api:steps:success ok',
    'api:changes:success',
  ])
})

test('it goes on with the last approval that its rules ask for, and no person counts twice', async () => {
  const rules = [{ user_names: ['eve', 'fay'], required_approvals: 2 }, { user_names: ['gus'] }]
  const id = await world.change(asks(rules))
  await world.admit()
  assert.deepEqual(await world.approve(id, 'ok', 'eve'), { goesOn: false })
  assert.equal(await world.approve(id, 'ok', 'eve'), undefined)
  assert.deepEqual(await world.approve(id, 'ok', 'gus'), { goesOn: false })
  assert.deepEqual(await world.approve(id, 'ok', 'fay'), { goesOn: true })
  assert.equal(await world.status(id), 'success')
})

test('of two last approvals at the same moment one lets the step go on, and both stand', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await world.change(asks([{ user_names: ['eve', 'fay'], required_approvals: 2 }], [step('deploy')]))
    await world.admit()
    const answers = await Promise.all([world.approve(id, 'ok', 'eve'), world.approve(id, 'ok', 'fay')])
    assert.deepEqual(answers.map(answer => answer?.goesOn).sort(), [false, true])
    assert.deepEqual(await world.statuses(id), { ok: 'running', 'ok/deploy': 'queued' })
    assert.equal((await world.activity(id)).approved_by.length, 2)
    await world.cancel(id)
  }
})

test('an approval and a rejection meet: whoever comes first decides, and the other finds nothing that waits', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 16; round += 1) {
    const id = await world.change(asks(byEve, [step('deploy')]))
    await world.admit()
    const approve = () => world.approve(id, 'ok', 'eve')
    const reject = () => world.reject(id, 'ok', 'eve')
    await Promise.all(round % 2 ? [approve(), reject()] : [reject(), approve()])
    const told = await world.events(id)
    const decisions = told.filter(each => /:(approve|reject)/.test(each))
    const { reported_status } = await world.activity(id)
    assert.deepEqual(decisions, [reported_status === 'rejected' ? 'api:steps:reject ok' : 'api:steps:approve ok'])
    assert.equal(reported_status === 'rejected', told.includes('api:changes:abort'))
    seen.add(reported_status)
    await world.cancel(id)
  }
  assert.deepEqual([...seen].sort(), ['queued', 'rejected'])
})

test('a cancel and an approval meet: nothing of a cancelled change begins', async () => {
  for (let round = 0; round < 12; round += 1) {
    const id = await world.change(asks(byEve, [step('deploy')]))
    await world.admit()
    const [first, second] = [() => world.cancel(id), () => world.approve(id, 'ok', 'eve')]
    await Promise.all(round % 2 ? [first(), second()] : [second(), first()])
    const steps = await world.statuses(id)
    assert.deepEqual([await world.status(id), steps['ok/deploy']], ['cancelled', 'cancelled'])
    const told = await world.events(id)
    assert.equal(told.filter(each => each === 'api:changes:cancel').length, 1)
    assert.equal(told.filter(each => each === 'api:steps:cancel ok/deploy').length, 1)
  }
})

test('a rejection lets what runs end, begins nothing, and aborts the rest; it alone and the change are rejected', async () => {
  const tree = stage('r', [
    stage('p', [step('runs'), asks(byEve, [step('deploy')]), stage('s', [step('quick'), step('after')])], parallel),
    step('last'),
  ])
  const id = await world.change(tree)
  await world.admit()
  const runner = await world.runnerOf(id)
  const held = await world.claim(id, runner)
  const named = (name: string) => held.find(({ step_name }) => step_name === name)!
  assert.equal(await world.reject(id, 'r/p/ok', 'eve'), true)
  assert.deepEqual(await world.statuses(id), {
    r: 'running',
    'r/p': 'running',
    'r/p/runs': 'running',
    'r/p/ok': 'aborted',
    'r/p/ok/deploy': 'aborted',
    'r/p/s': 'running',
    'r/p/s/quick': 'running',
    'r/p/s/after': 'aborted',
    'r/last': 'aborted',
  })
  assert.equal(await world.status(id), 'running')
  assert.deepEqual((await world.report(named('runs'), {}, runner)).claimed, [])
  assert.deepEqual((await world.report(named('quick'), {}, runner)).claimed, [])
  const rows = await world.database.rows(sql<{ full_path: string; reported_status: string }>`
    select full_path, reported_status from steps where activity_id = ${id} order by tree_order`)
  assert.deepEqual(Object.fromEntries(rows.map(row => [row.full_path, row.reported_status])), {
    r: 'aborted',
    'r/p': 'aborted',
    'r/p/runs': 'success',
    'r/p/ok': 'rejected',
    'r/p/ok/deploy': 'aborted',
    'r/p/s': 'aborted',
    'r/p/s/quick': 'success',
    'r/p/s/after': 'aborted',
    'r/last': 'aborted',
  })
  const { reported_status, holds_slot, rejected_by } = await world.activity(id)
  assert.deepEqual([reported_status, holds_slot], ['rejected', false])
  assert.deepEqual(
    rejected_by.map(({ username, step, message }) => [username, step, message]),
    [['eve', 'r/p/ok', 'not today']],
  )
  assert.equal((await world.events(id)).at(-1), 'api:changes:abort')
})

test('a rejected change whose siblings still run can be cancelled, and ends cancelled', async () => {
  const id = await world.change(stage('p', [step('runs'), asks(byEve)], parallel))
  await world.admit()
  const [runs] = await world.claim(id, await world.runnerOf(id))
  await world.reject(id, 'p/ok', 'eve')
  assert.equal(await world.cancel(id), 'cancelling')
  await world.report(runs!, { outcome: 'cancelled', exitCode: null, errorMessage: 'killed by SIGTERM' })
  assert.equal((await world.activity(id)).reported_status, 'cancelled')
})

test('no ignore_failure covers a rejection', async () => {
  const id = await world.change(stage('r', [stage('g', [asks(byEve)], { ignore_failure: true }), step('after')]))
  await world.admit()
  await world.reject(id, 'r/g/ok', 'eve')
  assert.equal((await world.activity(id)).reported_status, 'rejected')
  assert.equal((await world.statuses(id))['r/after'], 'aborted')
})

test('a wait goes on when somebody continues it, its children first, and says who', async () => {
  const id = await world.change(stage('r', [wait('hold', { children: [step('inner')] }), step('after')]))
  await world.admit()
  assert.equal((await world.activity(id)).reported_status, 'waiting')
  await world.goOn(id, 'r/hold')
  assert.deepEqual(await world.statuses(id), {
    r: 'running',
    'r/hold': 'running',
    'r/hold/inner': 'queued',
    'r/after': 'pending',
  })
  const row = await world.database.one(sql<{ continued_by: string }>`
    select continued_by from steps where activity_id = ${id} and full_path = 'r/hold'`)
  assert.equal(row!.continued_by, 'bob')
  assert.ok((await world.events(id)).includes('api:steps:continue r/hold'))
  await world.cancel(id)
})

test('a paused change lets what runs end and begins nothing until it is resumed', async () => {
  const id = await world.change(stage('r', [step('a'), step('b'), step('c')]))
  await world.admit()
  const runner = await world.runnerOf(id)
  const [a] = await world.claim(id, runner)
  assert.equal(await world.pause(id), 'done')
  assert.deepEqual([(await world.activity(id)).pause_state, (await world.activity(id)).paused_by], ['pausing', 'bob'])
  assert.equal(await world.pause(id), 'already')
  assert.deepEqual((await world.report(a!, {}, runner)).claimed, [])
  assert.deepEqual([(await world.activity(id)).pause_state, await world.status(id)], ['paused', 'running'])
  assert.deepEqual(await world.claim(id, runner), [])
  assert.equal(await world.resume(id), 'done')
  const [b] = await world.claim(id, runner)
  const { claimed } = await world.report(b!, {}, runner)
  await world.report(claimed[0]!, {}, runner)
  assert.deepEqual([await world.status(id), (await world.activity(id)).pause_state], ['success', 'none'])
  assert.deepEqual([await world.pause(id), await world.resume(id)], ['final', 'final'])
})

test('what is being cancelled is neither paused nor resumed', async () => {
  const id = await world.change(step('a'))
  await world.admit()
  const [a] = await world.claim(id, await world.runnerOf(id))
  await world.pause(id)
  assert.equal(await world.cancel(id), 'cancelling')
  assert.deepEqual([await world.pause(id), await world.resume(id)], ['cancelling', 'cancelling'])
  await world.report(a!, { outcome: 'cancelled' })
  assert.equal(await world.status(id), 'cancelled')
})

test('a pending change that is paused is not admitted before it is resumed', async () => {
  const id = await world.change(step('a'))
  await world.pause(id)
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.activity(id)).pause_state], ['pending', 'paused'])
  await world.resume(id)
  await world.admit()
  assert.equal(await world.status(id), 'running')
  await world.cancel(id)
})

test('timers of a paused change do not fire, and fire when it is resumed', async () => {
  const id = await world.change(stage('r', [wait('nap', { wait: { seconds: 5 } })]))
  await world.admit()
  await world.pause(id)
  await world.moveClock('10 s')
  await world.timers()
  assert.equal(await world.status(id), 'waiting')
  await world.resume(id)
  await world.timers()
  assert.equal(await world.status(id), 'success')
  assert.ok((await world.events(id)).includes('api:steps:continue r/nap'))
})

test('what is approved while the change is paused stands, and begins with the resume', async () => {
  const id = await world.change(asks(byEve, [step('deploy')]))
  await world.admit()
  await world.pause(id)
  await world.approve(id, 'ok', 'eve')
  await world.admit()
  assert.deepEqual([await world.status(id), (await world.statuses(id))['ok/deploy']], ['queued', 'queued'])
  await world.resume(id)
  await world.admit()
  const [deploy] = await world.claim(id, await world.runnerOf(id))
  await world.report(deploy!)
  assert.equal(await world.status(id), 'success')
})

test('a pause and the end of the last step meet: the change ends, and no pause outlives it', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 16; round += 1) {
    const id = await world.change(step('a'))
    await world.admit()
    const [held] = await world.claim(id, await world.runnerOf(id))
    const [pause, report] = [() => world.pause(id), () => world.report(held!)]
    const answers = await Promise.all(round % 2 ? [report(), pause()] : [pause(), report()])
    const answer = answers.find(each => typeof each === 'string') as string
    assert.deepEqual([await world.status(id), (await world.activity(id)).pause_state], ['success', 'none'])
    seen.add(answer)
  }
  assert.deepEqual([...seen].sort(), ['done', 'final'])
})

test('a paused change that loses its runner keeps its pause, and a failure ends it', async () => {
  const again = await world.change(stage('r', [step('a'), step('b')]), { settings: { onRunnerLost: 'restart' } })
  await world.admit()
  await world.claim(again, await world.runnerOf(again))
  await world.pause(again)
  await world.lose(again)
  assert.deepEqual(
    [(await world.activity(again)).pause_state, (await world.statuses(again))['r/a']],
    ['paused', 'queued'],
  )
  await world.resume(again)
  const [a] = await world.claim(again, await world.runnerOf(again))
  await world.pause(again)
  await world.report(a!, failed)
  assert.deepEqual([await world.status(again), (await world.activity(again)).pause_state], ['error', 'none'])
})
