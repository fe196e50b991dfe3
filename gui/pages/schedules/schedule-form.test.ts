import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  attributesOf as attributesFrom,
  changeOf,
  emptyForm,
  runOf,
  type ScheduleForm,
  timingOf,
} from './schedule-form.ts'

const nothing = { isStored: false, form: emptyForm('UTC'), overrides: {} }
const attributesOf = (form: ScheduleForm) => attributesFrom(form, {}, nothing)

test('a recurring schedule of an action', () => {
  const form = emptyForm('Europe/Berlin', {
    action: ' check ',
    cron: ' @daily ',
    maximum: '3',
    endAt: '2027-01-10T02:30',
  })
  assert.deepEqual(attributesOf(form), {
    cron_schedule: '@daily',
    run_at: null,
    time_zone: 'Europe/Berlin',
    repeat: true,
    maximum_run_count: 3,
    end_at: '2027-01-10T01:30:00.000Z',
    action: 'check',
    allow_parallel_execution: false,
    new_commits_only: false,
  })
})

test('a single time is that of the clocks of its zone', () => {
  const form = emptyForm('Europe/Berlin', {
    kind: 'workflow',
    workflow: 'release',
    timing: 'once',
    runAt: '2027-07-01T02:00',
  })
  const attributes = attributesOf(form)
  assert.equal(attributes?.run_at, '2027-07-01T00:00:00.000Z')
  assert.equal(attributes?.workflow_code, 'release')
  assert.equal(attributes?.repeat, false)
  assert.equal('action' in (attributes ?? {}), false)
})

test('the revision belongs to actions of projects and environments', () => {
  const form = emptyForm('UTC', { action: 'x', gitRemote: 'code', gitRev: 'main' })
  assert.equal(attributesOf(form)?.git_rev, 'main')
  assert.equal(attributesOf({ ...form, kind: 'workflow', workflow: 'w' })?.git_rev, undefined)
})

test('nothing is sent while something is missing', () => {
  assert.equal(attributesOf(emptyForm('UTC')), undefined)
  assert.equal(timingOf(emptyForm('UTC', { cron: ' ' })), undefined)
  assert.equal(timingOf(emptyForm('UTC', { timing: 'once' })), undefined)
})

test('inputs are sent where they differ from what they were', () => {
  const form = emptyForm('UTC', { node: '/projects/bank', action: 'x', skipSteps: 'a', metadata: 'count=2' })
  const first = { isStored: true, form, overrides: { a: 1 } }
  const same = attributesFrom(form, { a: 1 }, first)
  for (const name of ['skip_steps', 'metadata', 'property_overrides', 'starting_step'])
    assert.equal(name in same!, false, name)
  const changed = { ...form, skipSteps: '', metadata: 'count=3', startingStep: ' x/b ', autoContinue: true }
  const { skip_steps, metadata, property_overrides, starting_step, auto_continue_wait_steps } = attributesFrom(
    changed,
    {},
    first,
  )!
  assert.deepEqual(
    [skip_steps, metadata, property_overrides, starting_step, auto_continue_wait_steps],
    [[], { count: 3 }, {}, 'x/b', true],
  )
  assert.equal(attributesFrom({ ...form, startingStep: '' }, {}, { ...first, form: changed })?.starting_step, null)
  assert.equal(attributesFrom(form, undefined, first), undefined, 'wrong overrides')
})

test('of a stored schedule only what differs is sent, and what the form cannot show stays', () => {
  const stored = {
    ...emptyForm('UTC', { action: 'x', gitRemote: 'code', gitRev: 'main', timing: 'once', runAt: '2027-07-01T02:00' }),
    endAt: '2027-08-01T00:00',
  }
  const changed = (more: Partial<ScheduleForm>, of = stored) =>
    attributesFrom({ ...of, ...more }, {}, { isStored: true, form: of, overrides: {} })
  assert.deepEqual(changed({}), {})
  assert.deepEqual(changed({ isParallel: true, maximum: '2' }), {
    maximum_run_count: 2,
    allow_parallel_execution: true,
  })
  assert.deepEqual(changed({ runAt: '2027-07-01T03:00' }), { run_at: '2027-07-01T03:00:00.000Z' })
  assert.deepEqual(changed({ timing: 'cron', cron: '@daily' }), { cron_schedule: '@daily' })
  // Another zone moves the times that the form shows.
  assert.deepEqual(changed({ zone: 'Europe/Berlin' }), {
    time_zone: 'Europe/Berlin',
    run_at: '2027-07-01T00:00:00.000Z',
    end_at: '2027-07-31T22:00:00.000Z',
  })
  assert.deepEqual(changed({ gitRev: '' }), { git_remote_name: null, git_rev: null })
  const weekly = { ...emptyForm('UTC', { kind: 'workflow', workflow: 'weekly', version: 3 }), endAt: '' }
  assert.deepEqual(changed({ workflow: 'other', version: null }, weekly), { workflow_code: 'other', version: null })
})

test('the plan is that of the change or the run that the schedule would create', () => {
  const form = emptyForm('UTC', { node: '/projects/bank', action: 'x', gitRemote: 'code', startingStep: 'x/b' })
  assert.deepEqual(changeOf(form, { a: 1 }), {
    path: '/api/projects/bank/changes',
    attributes: { action: 'x', starting_step: 'x/b', property_overrides: { a: 1 } },
  })
  assert.equal(changeOf({ ...form, action: ' ' }, {}), undefined)
  const { path, attributes } = runOf({ ...form, kind: 'workflow', workflow: 'weekly', version: 2, skipSteps: 'a' }, {})!
  assert.equal(path, '/api/projects/bank/workflows/weekly/runs')
  assert.deepEqual(attributes, { version: 2, skip_steps: ['a'], metadata: {}, property_overrides: {} })
})
