import assert from 'node:assert/strict'
import { test } from 'node:test'
import { globMatcher, mostWork } from '../changes/index.ts'
import { touchesMatching } from './commit-files.ts'
import { comeDue, nextRunAt, scheduleFaults } from './schedule.ts'

const nightly = {
  cron_schedule: '0 2 * * *' as string | null,
  run_at: null as string | null,
  time_zone: 'UTC',
  repeat: true,
  maximum_run_count: null as number | null,
  end_at: null as string | null,
  run_count: 0,
}
const always = {
  new_commits_only: false,
  commit_file_patterns: [] as { match: string; negate?: boolean }[],
  commit_file_pattern_match: 'any' as const,
  allow_parallel_execution: false,
}
const hour = 3_600

test('a schedule says of each thing that is wrong with it what would be right', () => {
  const faultsOf = (other: object) => scheduleFaults({ ...nightly, ...always, ...other }).map(each => each.attribute)
  assert.deepEqual(faultsOf({}), [])
  assert.deepEqual(faultsOf({ cron_schedule: null }), ['cron_schedule'])
  assert.deepEqual(faultsOf({ run_at: '2027-01-01T00:00:00Z', repeat: false }), ['cron_schedule'])
  assert.deepEqual(faultsOf({ cron_schedule: null, run_at: '2027-01-01T00:00:00Z' }), ['repeat'])
  assert.deepEqual(faultsOf({ cron_schedule: 'daily', time_zone: 'Berlin', commit_file_patterns: [{ match: '*' }] }), [
    ...['cron_schedule', 'time_zone', 'commit_file_patterns'],
  ])
})

test('it is due until its end, until it has run often enough, and of run_at once', () => {
  const after = '2027-01-01T12:00:00.000000Z'
  assert.equal(nextRunAt(nightly, after), '2027-01-02T02:00:00.000000Z')
  assert.equal(nextRunAt({ ...nightly, end_at: '2027-01-02T02:00:00.000000Z' }, after), '2027-01-02T02:00:00.000000Z')
  assert.equal(nextRunAt({ ...nightly, end_at: '2027-01-02T01:59:59.000000Z' }, after), null)
  assert.equal(nextRunAt({ ...nightly, maximum_run_count: 2, run_count: 2 }, after), null)
  const once = { ...nightly, cron_schedule: null, run_at: '2027-01-01T12:00:00.000001Z', repeat: false }
  assert.equal(nextRunAt(once, after), once.run_at)
  assert.equal(nextRunAt(once, once.run_at), null)
  assert.equal(nextRunAt({ ...once, end_at: once.run_at }, after), once.run_at)
  assert.equal(nextRunAt({ ...once, end_at: '2027-01-01T12:00:00.000000Z' }, after), null)
})

test('what was missed by less than the catch-up is due, each once; what is older is told of', () => {
  const every20 = { ...nightly, cron_schedule: '*/20 * * * *', next_run_at: '2027-01-01T10:00:00.000000Z' }
  const now = '2027-01-01T12:10:00.000000Z'
  const { due, missed, next } = comeDue(every20, now, hour)
  assert.deepEqual(
    due.map(at => at.slice(11, 16)),
    ['11:20', '11:40', '12:00'],
  )
  assert.deepEqual([missed?.count, missed?.times[0]?.slice(11, 16), missed?.last.slice(11, 16)], [4, '10:00', '11:00'])
  assert.equal(next, '2027-01-01T12:20:00.000000Z')
  assert.equal(comeDue({ ...every20, repeat: false }, now, 3 * hour).next, null)
  assert.deepEqual(comeDue({ ...every20, repeat: false }, now, 3 * hour).due, [every20.next_run_at])
})

test('where nothing is to be made up for, what is due is not missed for being looked at a moment later', () => {
  const daily = { ...nightly, next_run_at: '2027-01-02T02:00:00.000000Z' }
  assert.deepEqual(comeDue(daily, '2027-01-02T02:00:00.900000Z', 0).due, [daily.next_run_at])
  assert.equal(comeDue(daily, '2027-01-02T02:01:01.000000Z', 0).missed?.count, 1)
})

test('a year without the service is told of without counting each second of it', () => {
  const secondly = { ...nightly, cron_schedule: '* * * * * *', next_run_at: '2026-01-01T00:00:00.000000Z' }
  const { due, missed, next } = comeDue(secondly, '2027-01-01T00:00:00.500000Z', 60)
  assert.deepEqual([due.length, due[0]], [60, '2026-12-31T23:59:01.000000Z'])
  assert.deepEqual([missed?.count, missed?.times.length], [10_000, 100])
  assert.equal(next, '2027-01-01T00:00:01.000000Z')
})

test('a commit touches what is meant when a file of it fits any, or all, of the patterns, negated ones too', () => {
  const work = mostWork()
  const matcher = (glob: string) => {
    const matches = globMatcher(glob)
    return (path: string) => matches(path, work)
  }
  const touches = (files: string[], patterns: { match: string; negate?: boolean }[], how: 'any' | 'all' = 'any') =>
    touchesMatching(files, patterns, how, matcher)
  assert.equal(touches(['docs/a.md'], []), true)
  assert.equal(touches(['docs/a.md', 'src/a.ts'], [{ match: 'src/**' }]), true)
  assert.equal(touches(['docs/a.md'], [{ match: 'src/**' }, { match: '*.md' }]), false)
  const sources = [{ match: 'src/**' }, { match: '**.md', negate: true }]
  assert.equal(touches(['src/readme.md', 'other.ts'], sources, 'all'), false)
  assert.equal(touches(['src/readme.md', 'src/a.ts'], sources, 'all'), true)
  assert.equal(touches(['docs/a.md'], [{ match: 'docs/**', negate: true }]), false)
  assert.equal(touches([], [{ match: '**' }]), false)
})
