import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasScheduleFilters, readScheduleSearch, scheduleQuery } from './search.ts'

test('view, month and filters are read from an address', () => {
  assert.deepEqual(readScheduleSearch({ view: 'calendar', month: '2027-03', text: 7, under: '/projects/bank', x: 1 }), {
    view: 'calendar',
    month: '2027-03',
    text: '7',
    under: '/projects/bank',
  })
  assert.deepEqual(readScheduleSearch({ view: 'list', month: '2027-13', disabled: 'yes', schedule: 'new' }), {
    schedule: 'new',
  })
})

test('the action belongs to a new schedule only', () => {
  const action = { action: 'check', remote: 'code', rev: 'main' }
  assert.deepEqual(readScheduleSearch({ schedule: 'new', ...action }), { schedule: 'new', ...action })
  assert.deepEqual(readScheduleSearch({ schedule: 'x', ...action }), { schedule: 'x' })
})

test('the query has the filters', () => {
  assert.deepEqual(scheduleQuery({ text: 'roll', under: '/projects/bank', disabled: true, view: 'calendar' }), {
    limit: 100,
    'filter[sorts]': 'next_run_at',
    'filter[action_or_workflow_code_cont]': 'roll',
    'filter[under]': '/projects/bank',
    'filter[enabled_eq]': false,
  })
  assert.equal(hasScheduleFilters({ view: 'calendar' }), false)
  assert.equal(hasScheduleFilters({ disabled: true }), true)
})
