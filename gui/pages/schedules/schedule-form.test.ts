import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf, emptyForm, timingOf } from './schedule-form.ts'

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
