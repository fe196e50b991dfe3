import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { engineWorld, failed } from '../../../../tests/support/engine-world.ts'
import { stage, step, wait } from '../../../../tests/support/step-trees.ts'
import type { EndedStep } from '../rules/retried-tree.ts'
import { outputsAad } from './associated-data.ts'

const world = await engineWorld()
afterEach(() => world.consistent())
after(() => world.end())

const parallel = { child_execution_strategy: 'parallel' } as const
const byEve = [{ user_names: ['eve'] }]
const asks = (children = [step('deploy')], rules: object[] = byEve) =>
  wait('ok', { requires_approval_from: rules, children })

/** Runs what can run until nothing more does; those named end badly. */
async function run(id: string, bad: readonly string[] = []): Promise<string[]> {
  await world.admit()
  const ran: string[] = []
  if (!['running', 'queued'].includes(await world.status(id))) return ran
  const runner = await world.runnerOf(id)
  let held = await world.claim(id, runner)
  while (held.length > 0) {
    for (const each of held) {
      ran.push(each.full_path)
      await world.report(each, bad.includes(each.full_path) ? failed : {})
    }
    held = (await world.status(id)) === 'running' ? await world.claim(id, runner) : []
  }
  return ran
}

interface Row {
  id: string
  full_path: string
  status: string
  started_at: string | null
  finished_at: string | null
  created_at: string
  attempt: number
  exit_code: number | null
  retry_of: string | null
  ran_as: string | null
}

const rowsOf = (id: string) =>
  world.database.rows(sql<Row>`
    select id, full_path, status, started_at, finished_at, created_at, attempt, exit_code, retry_of, ran_as
      from steps where activity_id = ${id} order by tree_order`)

test('a retry takes over what succeeded, with its times, and runs the rest', async () => {
  const tree = stage('r', [
    stage('first', [step('a'), step('b')]),
    step('c'),
    stage('p', [step('d'), step('e')], parallel),
    step('f'),
  ])
  const first = await world.change(tree)
  await run(first, ['r/p/d'])
  assert.equal(await world.status(first), 'error')
  const { id, kept, again } = await world.retry(first)
  assert.deepEqual([kept, again], [5, 4])
  assert.deepEqual(await world.statuses(id), {
    r: 'pending',
    'r/first': 'success',
    'r/first/a': 'success',
    'r/first/b': 'success',
    'r/c': 'success',
    'r/p': 'pending',
    'r/p/d': 'pending',
    'r/p/e': 'success',
    'r/f': 'pending',
  })
  await world.consistent()
  const [before, now] = [await rowsOf(first), await rowsOf(id)]
  const told = ({ id: _, retry_of: __, ran_as: ___, ...row }: Row) => row
  for (const [at, row] of now.entries()) {
    assert.equal(row.retry_of, before[at]!.id)
    if (row.status !== 'success') continue
    assert.deepEqual(told(row), told(before[at]!))
    assert.equal(row.ran_as, before[at]!.id)
  }
  assert.deepEqual(await run(id), ['r/p/d', 'r/f'])
  assert.equal(await world.status(id), 'success')
  assert.deepEqual(
    (await rowsOf(first)).map(({ status }) => status),
    before.map(({ status }) => status),
  )
  const events = await world.events(id)
  assert.equal(events.filter(each => each.startsWith('api:steps:start')).length, 4)
})

test('of a retry of a retry a step tells which step it ran as', async () => {
  const first = await world.change(stage('r', [step('a'), step('b'), step('c')]))
  await run(first, ['r/b'])
  const second = await world.retry(first)
  await run(second.id, ['r/c'])
  const third = await world.retry(second.id)
  const [of1, of2, of3] = [await rowsOf(first), await rowsOf(second.id), await rowsOf(third.id)]
  assert.deepEqual(
    of3.map(({ full_path, ran_as }) => [full_path, ran_as]),
    [
      ['r', null],
      ['r/a', of1[1]!.id],
      ['r/b', of2[2]!.id],
      ['r/c', null],
    ],
  )
  assert.deepEqual(await run(third.id), ['r/c'])
  assert.equal(await world.status(third.id), 'success')
})

test('a cancelled change is taken up where it was', async () => {
  const first = await world.change(stage('r', [step('a'), wait('look'), step('b')]))
  await run(first)
  assert.equal(await world.status(first), 'waiting')
  await world.cancel(first)
  const { id } = await world.retry(first)
  await world.admit()
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'success', 'r/look': 'waiting', 'r/b': 'pending' })
  await world.goOn(id, 'r/look')
  assert.deepEqual(await run(id), ['r/b'])
  assert.equal(await world.status(id), 'success')
})

test('a group that succeeded although a child failed stays as it is, and so does what failed in it', async () => {
  const first = await world.change(
    stage('r', [stage('s', [step('a')], { ignore_failure: true }), step('b', { ignore_failure: true }), step('c')]),
  )
  await run(first, ['r/s/a', 'r/b', 'r/c'])
  const { id } = await world.retry(first)
  assert.deepEqual(await world.statuses(id), {
    r: 'pending',
    'r/s': 'success',
    'r/s/a': 'error',
    'r/b': 'success',
    'r/c': 'pending',
  })
  await world.consistent()
  assert.deepEqual(await run(id), ['r/c'])
})

test('a step whose children failed runs again itself, unless it made them: then they are what is left of it', async () => {
  const body = { children: [step('a'), step('b')] }
  const first = await world.change(stage('r', [step('plain', body), step('makes')], parallel))
  await world.admit()
  const runner = await world.runnerOf(first)
  const [plain, makes] = await world.claim(first, runner)
  world.storeResult = async (_, { id }) => (id === makes!.id ? { childSteps: [step('x'), step('x'), step('y')] } : {})
  await world.report(plain!)
  await world.report(makes!, { childSteps: [{}] })
  await run(first, ['r/plain/b', 'r/makes/y'])
  assert.equal(await world.status(first), 'error')
  const { id } = await world.retry(first)
  assert.deepEqual(await world.statuses(id), {
    r: 'pending',
    'r/plain': 'pending',
    'r/plain/a': 'success',
    'r/plain/b': 'pending',
    'r/makes': 'pending',
    'r/makes/x-1': 'success',
    'r/makes/x-2': 'success',
    'r/makes/y': 'pending',
  })
  assert.deepEqual((await run(id)).toSorted(), ['r/makes/y', 'r/plain', 'r/plain/b'])
  assert.equal(await world.status(id), 'success')
})

test('a step that adds steps as its change is stopped has not succeeded: a retry runs it again', async () => {
  const stops = {
    cancelled: (id: string) => world.cancel(id),
    aborted: (id: string) => world.reject(id, 'r/ok', 'eve'),
  }
  for (const [ended, stop] of Object.entries(stops)) {
    const first = await world.change(
      stage('r', [step('plans'), wait('ok', { requires_approval_from: byEve })], parallel),
    )
    await world.admit()
    const runner = await world.runnerOf(first)
    const [plans] = await world.claim(first, runner)
    await stop(first)
    world.storeResult = async () => ({ childSteps: [step('deploy')] })
    await world.report(plans!, { childSteps: [{}] })
    world.storeResult = async () => ({})
    assert.deepEqual(await world.statuses(first), { r: ended, 'r/plans': ended, 'r/ok': ended })
    assert.equal(await world.status(first), ended)
    await world.consistent()
    const { id } = await world.retry(first)
    assert.deepEqual(await run(id), ['r/plans'], ended)
    await world.cancel(id)
  }
})

test('an approval that counts is not asked for again, and one that does not is', async () => {
  const first = await world.change(asks())
  await world.admit()
  await world.approve(first, 'ok', 'eve')
  await run(first, ['ok/deploy'])
  const counting = await world.retry(first)
  assert.deepEqual(
    (await world.activity(counting.id)).approved_by.map(({ username, step }) => [username, step]),
    [['eve', 'ok']],
  )
  assert.deepEqual(await run(counting.id), ['ok/deploy'])
  assert.equal(await world.status(counting.id), 'success')
  const asking = await world.retry(first, { counts: () => [] })
  assert.deepEqual(await run(asking.id), [])
  assert.equal((await world.activity(asking.id)).reported_status, 'waiting_for_approval')
  assert.deepEqual((await world.activity(asking.id)).approved_by, [])
})

test('an approval above the root comes and goes with the settings; other rules ask anew', async () => {
  const first = await world.change(asks())
  await world.admit()
  await world.approve(first, 'ok', 'eve')
  await run(first, ['ok/deploy'])
  const without = await world.retry(first, { tree: before => before.children[0]! })
  assert.deepEqual(await run(without.id), ['deploy'])
  const more = [{ user_names: ['eve', 'fay'], required_approvals: 2 }]
  const other = await world.retry(first, { tree: before => ({ ...before, requires_approval_from: more }) })
  await world.admit()
  assert.equal((await world.activity(other.id)).reported_status, 'waiting_for_approval')

  const plain = await world.change(stage('r', [step('a'), step('b')]))
  await run(plain, ['r/b'])
  const asked = await world.retry(plain, { tree: before => asks([before as never]) })
  assert.deepEqual(await run(asked.id), [])
  await world.approve(asked.id, 'ok', 'eve')
  assert.deepEqual(await run(asked.id), ['ok/r/b'])
  assert.equal(await world.status(asked.id), 'success')
})

test('approvals within the tree are asked again when what they approved has changed, and only they', async () => {
  const first = await world.change(stage('r', [step('a'), asks([]), step('b')]))
  await run(first)
  await world.approve(first, 'r/ok', 'eve')
  await run(first, ['r/b'])
  const { id } = await world.retry(first, { counts: () => [] })
  await world.admit()
  assert.deepEqual(await world.statuses(id), { r: 'running', 'r/a': 'success', 'r/ok': 'waiting', 'r/b': 'pending' })
})

test('an approval that a newer commit asks for is asked for where a plain wait had been continued, also within a group', async () => {
  const tree = (rules: object[]) =>
    stage('r', [stage('s', [step('a'), wait('ok', { requires_approval_from: rules })]), step('b')])
  const first = await world.change(tree([]))
  await run(first)
  await world.goOn(first, 'r/s/ok')
  await run(first, ['r/b'])
  const { id } = await world.retry(first, { tree: () => tree(byEve) })
  assert.deepEqual(await run(id), [])
  assert.equal((await world.activity(id)).reported_status, 'waiting_for_approval')
  await world.approve(id, 'r/s/ok', 'eve')
  assert.deepEqual(await run(id), ['r/b'])
})

const input = (...names: string[]) =>
  wait('w', { step_type: 'input', input_arguments: names.map(name => ({ name, type: 'string', required: true })) })
const waits = {
  plain: wait('w'),
  timer: wait('w', { wait: { seconds: 60 } }),
  'longer timer': wait('w', { wait: { seconds: 61 } }),
  until: wait('w', { wait: { until: '2027-01-01T00:00:00+01:00' } }),
  'until the same': wait('w', { wait: { until: '2026-12-31T23:00:00Z' } }),
  'by itself': wait('w', { wait: { seconds: 0 } }),
  input: input('colour'),
  'input of more': input('colour', 'size'),
  approval: wait('w', { requires_approval_from: byEve }),
} as const
type Wait = keyof typeof waits

for (const [before, now] of [
  ['plain', 'input'],
  ['plain', 'timer'],
  ['timer', 'plain'],
  ['timer', 'longer timer'],
  ['until', 'plain'],
  ['input', 'input of more'],
  ['input', 'plain'],
  ['approval', 'plain'],
] satisfies [Wait, Wait][])
  test(`a ${before} of which a newer commit makes a ${now} waits anew, also within a group`, async () => {
    const tree = (which: Wait) => stage('r', [stage('s', [step('a'), waits[which]]), step('b')])
    const first = await world.change(tree(before))
    await run(first)
    await (before === 'approval' ? world.approve(first, 'r/s/w', 'eve') : world.goOn(first, 'r/s/w'))
    assert.deepEqual(await run(first, ['r/b']), ['r/b'])
    const { id } = await world.retry(first, { tree: () => tree(now) })
    assert.deepEqual(await run(id), [])
    assert.equal((await world.statuses(id))['r/s/w'], 'waiting')
    await world.goOn(id, 'r/s/w')
    assert.deepEqual(await run(id), ['r/b'])
  })

for (const [before, now] of [
  ['input', 'input'],
  ['until', 'until the same'],
  ['plain', 'by itself'],
  ['by itself', 'plain'],
] satisfies [Wait, Wait][])
  test(`a ${before} of which a newer commit makes a ${now} is over`, async () => {
    const tree = (which: Wait) => stage('r', [stage('s', [step('a'), waits[which]]), step('b')])
    const first = await world.change(tree(before))
    await run(first)
    await world.goOn(first, 'r/s/w')
    assert.deepEqual(await run(first, ['r/b']), ['r/b'])
    const { id } = await world.retry(first, { tree: () => tree(now) })
    assert.deepEqual(await run(id), ['r/b'])
  })

test('a wait of reset_on_retry asks again, within a group that had succeeded', async () => {
  const group = stage('s', [step('a'), wait('sure', { reset_on_retry: true }), wait('once'), step('b')])
  const first = await world.change(stage('r', [group, step('c')]))
  await run(first)
  await world.goOn(first, 'r/s/sure')
  await world.goOn(first, 'r/s/once')
  await run(first, ['r/c'])
  const { id } = await world.retry(first)
  await world.admit()
  assert.deepEqual(await world.statuses(id), {
    r: 'running',
    'r/s': 'running',
    'r/s/a': 'success',
    'r/s/sure': 'waiting',
    'r/s/once': 'success',
    'r/s/b': 'success',
    'r/c': 'pending',
  })
  await world.goOn(id, 'r/s/sure')
  assert.deepEqual(await run(id), ['r/c'])
})

test('a wait asks again that is reset_on_retry only in the newer commit, within a group that had succeeded', async () => {
  const tree = (reset_on_retry: boolean) =>
    stage('r', [stage('s', [wait('sure', { reset_on_retry, children: [step('a')] })]), step('b')])
  const first = await world.change(tree(false))
  await world.admit()
  await world.goOn(first, 'r/s/sure')
  assert.deepEqual(await run(first, ['r/b']), ['r/s/sure/a', 'r/b'])
  const { id } = await world.retry(first, { tree: () => tree(true) })
  assert.deepEqual(await run(id), [])
  assert.equal((await world.statuses(id))['r/s/sure'], 'waiting')
  await world.goOn(id, 'r/s/sure')
  assert.deepEqual(await run(id), ['r/b'])
})

test('of another tree what has the name of something that succeeded is over, and what is new runs', async () => {
  const first = await world.change(stage('r', [stage('s', [step('a'), step('b')]), step('old'), step('c')]))
  await run(first, ['r/c'])
  const tree = stage('r', [stage('s', [step('a'), step('new'), step('b')]), step('c'), step('a', { action: 'other' })])
  const { id } = await world.retry(first, { tree: () => tree })
  assert.deepEqual(await run(id), ['r/s/new', 'r/c', 'r/a'])
  assert.deepEqual(Object.values(await world.statuses(id)), Array(7).fill('success'))
})

test('what a mask left out runs in a retry whose mask does not name it, also within a group that had succeeded', async () => {
  const tree = (skip_requested: boolean) =>
    stage('r', [stage('s', [step('a'), step('b', { skip_requested })]), step('c')])
  const first = await world.change(tree(true))
  assert.deepEqual(await run(first, ['r/c']), ['r/s/a', 'r/c'])
  const masked = await world.retry(first)
  assert.deepEqual(await run(masked.id, ['r/c']), ['r/c'])
  const { id } = await world.retry(masked.id, { tree: () => tree(false) })
  assert.deepEqual(await run(id), ['r/s/b', 'r/c'])
})

test('a body that a mask left out on the way to an approval runs in a retry whose mask does not name it', async () => {
  const tree = (skip_requested: boolean) =>
    stage('r', [stage('s', [step('a', { skip_requested, children: [asks([])] })]), step('b')])
  const first = await world.change(tree(true))
  assert.deepEqual(await run(first), [])
  await world.approve(first, 'r/s/a/ok', 'eve')
  assert.deepEqual(await run(first, ['r/b']), ['r/b'])
  const masked = await world.retry(first)
  assert.deepEqual(await run(masked.id, ['r/b']), ['r/b'])
  const { id } = await world.retry(masked.id, { tree: () => tree(false) })
  assert.deepEqual(await run(id), ['r/s/a', 'r/b'])
})

test('a body that made steps is not asked for them again after a retry whose mask named it: they are what is left of it', async () => {
  const first = await world.change(stage('r', [step('makes')]))
  await world.admit()
  const [makes] = await world.claim(first, await world.runnerOf(first))
  world.storeResult = async () => ({ childSteps: [asks([]), step('x'), step('y')] })
  await world.report(makes!, { childSteps: [{}] })
  world.storeResult = async () => ({})
  await world.approve(first, 'r/makes/ok', 'eve')
  await run(first, ['r/makes/y'])
  const left = (each: EndedStep, skip_requested: boolean): EndedStep => ({
    ...each,
    skip_requested: skip_requested && each.action !== null,
    children: each.children.map(child => left(child, skip_requested)),
  })
  const masked = await world.retry(first, { before: ended => left(ended, true), counts: () => [] })
  await world.admit()
  assert.equal((await world.statuses(masked.id))['r/makes/ok'], 'waiting')
  await world.cancel(masked.id)
  const { id } = await world.retry(masked.id, { before: ended => left(ended, false) })
  await world.admit()
  await world.approve(id, 'r/makes/ok', 'eve')
  assert.deepEqual(await run(id), ['r/makes/y'])
})

test('steps that were added are left out while a newer commit has what made them before the starting step, and are not when it has it behind', async () => {
  const start = (where: 'before' | 'behind') => {
    const makes = step('makes', { skip_requested: where === 'before' })
    const children = where === 'before' ? [makes, step('start')] : [step('start'), makes]
    return stage('r', children, { skip_requested: true })
  }
  const first = await world.change(start('behind'))
  await world.admit()
  const runner = await world.runnerOf(first)
  await world.report((await world.claim(first, runner))[0]!)
  const [makes] = await world.claim(first, runner)
  world.storeResult = async () => ({
    childSteps: [step('x'), stage('g', [step('y'), step('z')]), step('named'), asks([])],
  })
  await world.report(makes!, { childSteps: [{}] })
  world.storeResult = async () => ({})
  await run(first, ['r/makes/g/y'])
  assert.equal(await world.status(first), 'error')
  const isSkipped = (path: string) => path === 'r/makes/named'

  const before = await world.retry(first, { tree: () => start('before'), isSkipped })
  assert.deepEqual(await run(before.id), [])
  assert.equal((await world.statuses(before.id))['r/makes/ok'], 'waiting', 'an approval is asked all the same')
  await world.cancel(before.id)
  assert.deepEqual(await world.statuses(before.id), {
    r: 'cancelled',
    'r/makes': 'cancelled',
    'r/makes/x': 'success',
    'r/makes/g': 'skipped',
    'r/makes/g/y': 'skipped',
    'r/makes/g/z': 'skipped',
    'r/makes/named': 'skipped',
    'r/makes/ok': 'cancelled',
    'r/start': 'success',
  })

  const { id } = await world.retry(before.id, { tree: () => start('behind'), isSkipped })
  assert.deepEqual(await run(id), ['r/makes/g/y', 'r/makes/g/z'])
  await world.approve(id, 'r/makes/ok', 'eve')
  assert.equal((await world.statuses(id))['r/makes/named'], 'skipped')
})

test('a retry keeps outputs and artefacts of what it takes over', async () => {
  const first = await world.change(stage('r', [step('a'), step('b')]))
  await run(first, ['r/b'])
  const [, a, b] = await rowsOf(first)
  const { keyring } = world.parts
  await world.database.transaction(async tx => {
    await tx.count(sql`
      update steps set outputs = ${keyring.seal('{"url":"x"}', outputsAad(a!.id))} where id = ${a!.id}`)
    for (const [at, { id }] of [a!, b!].entries())
      await tx.count(sql`
        insert into artefacts (step_id, activity_id, project_id, path, attempt, name, content_type, byte_size, sha256, labels)
        values (${id}, ${first}, ${world.project}, '/projects/bank/assets/web', 1, 'report.txt', 'text/plain', 3,
                ${`sha${at}`}, '{"kind":"report"}')`)
  })
  const { id } = await world.retry(first)
  const copied = await world.database.rows(sql<{ id: string; outputs: Buffer; sha256: string; labels: object }>`
    select s.id, s.outputs, f.sha256, f.labels from artefacts f join steps s on s.id = f.step_id where f.activity_id = ${id}`)
  assert.deepEqual(
    copied.map(row => [row.sha256, row.labels, keyring.openText(row.outputs, outputsAad(row.id))]),
    [['sha0', { kind: 'report' }, '{"url":"x"}']],
  )
})
