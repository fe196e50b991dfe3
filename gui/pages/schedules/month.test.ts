import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths, datesOf, daysOf, monthOf, type UpcomingSchedule } from './month.ts'

test('months follow each other over the year', () => {
  assert.equal(addMonths('2026-12', 1), '2027-01')
  assert.equal(addMonths('2026-01', -1), '2025-12')
  assert.equal(monthOf(Date.parse('2026-12-31T23:30:00Z'), 'Europe/Berlin'), '2027-01')
})

test('a month is shown in whole weeks from Monday', () => {
  const dates = datesOf('2027-03')
  assert.equal(dates[0], '2027-03-01')
  assert.equal(dates.at(-1), '2027-04-04')
  assert.equal(datesOf('2026-11')[0], '2026-10-26')
  assert.equal(datesOf('2026-11').length, 42)
  assert.equal(datesOf('2027-02').length, 28)
})

const schedule = (id: string, due_times: string[]): UpcomingSchedule => ({
  id,
  attributes: { node_path: '/projects/bank', action: 'check', workflow_code: null, time_zone: 'UTC', due_times },
})

test('runs are on the day of the zone, by their first time', () => {
  const days = daysOf(
    '2027-03',
    [
      schedule('late', ['2027-03-09T23:30:00Z']),
      schedule('often', ['2027-03-10T01:00:00Z', '2027-03-10T02:00:00Z']),
      schedule('early', ['2027-03-09T23:10:00Z']),
    ],
    'Europe/Berlin',
  )
  const day = days.find(({ date }) => date === '2027-03-10')
  assert.deepEqual(
    day?.due.map(({ schedule: { id }, times }) => [id, times.length]),
    [
      ['early', 1],
      ['late', 1],
      ['often', 2],
    ],
  )
  assert.equal(days.filter(({ due }) => due.length > 0).length, 1)
  assert.equal(days.at(-1)?.isInMonth, false)
})
