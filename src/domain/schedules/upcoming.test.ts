import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Upcoming, upcoming } from './upcoming.ts'

const schedule = (name: string, given: Partial<Upcoming>): Upcoming & { name: string } => ({
  name,
  cron_schedule: '0 2 * * *',
  run_at: null,
  time_zone: 'UTC',
  repeat: true,
  maximum_run_count: null,
  end_at: null,
  run_count: 0,
  next_run_at: '2027-01-01T02:00:00.000000Z',
  ...given,
})
const from = '2027-01-01T00:00:00Z'
const to = '2027-01-04T00:00:00Z'
const listed = (schedules: readonly (Upcoming & { name: string })[], period: object = {}) => {
  const { due, cut } = upcoming(schedules, { from, to, most: 1_000, ...period })
  return { due: due.map(each => [each.schedule.name, each.times.map(at => at.slice(5, 16))]), cut }
}

test('due times within a period are listed by schedule', () => {
  const single = {
    cron_schedule: null,
    repeat: false,
    run_at: '2027-01-02T12:00:00Z',
    next_run_at: '2027-01-02T12:00:00Z',
  }
  assert.deepEqual(listed([schedule('once', single), schedule('nightly', {})]), {
    due: [
      ['nightly', ['01-01T02:00', '01-02T02:00', '01-03T02:00']],
      ['once', ['01-02T12:00']],
    ],
    cut: false,
  })
  assert.deepEqual(listed([schedule('nightly', {})], { to: '2027-01-02T02:00:00Z' }).due, [
    ['nightly', ['01-01T02:00']],
  ])
})

test('a period that starts later skips what is due before it', () => {
  const later = { from: '2027-06-01T00:00:00Z', to: '2027-06-02T12:00:00Z' }
  assert.deepEqual(listed([schedule('nightly', {})], later).due, [['nightly', ['06-01T02:00', '06-02T02:00']]])
  const twice = schedule('twice', { maximum_run_count: 3, run_count: 1 })
  assert.deepEqual(listed([twice]).due, [['twice', ['01-01T02:00', '01-02T02:00']]])
  assert.deepEqual(listed([twice], later).due, [])
  const ending = schedule('ending', { end_at: '2027-01-02T02:00:00.000000Z' })
  assert.deepEqual(listed([ending], { from: '2027-01-01T03:00:00Z' }).due, [['ending', ['01-02T02:00']]])
})

test('of more due times than asked for the earliest are listed', () => {
  const often = schedule('often', { cron_schedule: '* * * * * *', next_run_at: '2027-01-01T01:59:58.000000Z' })
  assert.deepEqual(listed([schedule('nightly', {}), often], { most: 4 }), {
    due: [
      ['often', ['01-01T01:59', '01-01T01:59', '01-01T02:00']],
      ['nightly', ['01-01T02:00']],
    ],
    cut: true,
  })
  assert.equal(listed([schedule('nightly', {})], { most: 3 }).cut, false)
  assert.equal(listed([schedule('nightly', {})], { most: 2 }).cut, true)
})
