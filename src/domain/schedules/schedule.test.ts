import assert from 'node:assert/strict'
import { test } from 'node:test'
import { globMatcher, mostWork } from '../changes/index.ts'
import { touchesMatching } from './commit-files.ts'
import { comeDue, nextDueTimes, nextRunAt, scheduleFaults } from './schedule.ts'

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

test('the next five due times are told by the clock of the schedule’s zone, through its changes', () => {
  const berlin = { ...nightly, cron_schedule: '30 2 * * *', time_zone: 'Europe/Berlin' }
  const next_run_at = nextRunAt(berlin, '2027-03-26T12:00:00.000000Z')
  // Half past two on the 28th is skipped: it is due at the first instant after that.
  assert.deepEqual(nextDueTimes({ ...berlin, next_run_at }), [
    '2027-03-27T02:30:00+01:00',
    '2027-03-28T03:00:00+02:00',
    '2027-03-29T02:30:00+02:00',
    '2027-03-30T02:30:00+02:00',
    '2027-03-31T02:30:00+02:00',
  ])
  const kolkata = {
    ...nightly,
    time_zone: 'Asia/Kolkata',
    next_run_at: nextRunAt({ ...nightly, time_zone: 'Asia/Kolkata' }, '2027-01-01T00:00:00.000000Z'),
  }
  assert.equal(nextDueTimes(kolkata)[0], '2027-01-02T02:00:00+05:30')
  const newYork = { ...nightly, time_zone: 'America/New_York', next_run_at: '2027-01-01T07:00:00.000000Z' }
  assert.equal(nextDueTimes(newYork)[0], '2027-01-01T02:00:00-05:00')
})

test('no more due times are told than come: of the last runs, until the end, of run_at one, of one at rest none', () => {
  const next_run_at = '2027-01-02T02:00:00.000000Z'
  assert.equal(nextDueTimes({ ...nightly, next_run_at }).length, 5)
  assert.equal(nextDueTimes({ ...nightly, next_run_at, maximum_run_count: 4, run_count: 2 }).length, 2)
  assert.equal(nextDueTimes({ ...nightly, next_run_at, end_at: '2027-01-04T02:00:00.000000Z' }).length, 3)
  assert.equal(nextDueTimes({ ...nightly, next_run_at, repeat: false }).length, 1)
  assert.deepEqual(nextDueTimes({ ...nightly, next_run_at: null }), [])
  const run_at = '2027-01-01T12:00:00.250000Z'
  const once = { ...nightly, cron_schedule: null, run_at, repeat: false, next_run_at: run_at }
  assert.deepEqual(nextDueTimes(once), ['2027-01-01T12:00:00.25+00:00'])
})

test('what is wrong with a cron expression is said of each field, in words of ours', () => {
  const faultOf = (cron_schedule: string) => scheduleFaults({ ...nightly, ...always, cron_schedule })[0]?.detail ?? ''
  for (const [expression, says] of Object.entries({
    '0 25 * * *': /^The hour "25" is out of range: it takes numbers from 0 to 23\.$/,
    '60 24 * * *': /^The minute "60" is out of range.*The hour "24" is out of range/,
    '61 * * * * *': /^The second "61" is out of range/,
    '0 0 32 * *': /^The day of the month "32" is out of range: it takes numbers from 1 to 31/,
    '0 0 * 13 *': /^The month "13" is out of range/,
    '0 0 * * 8': /^The day of the week "8" is out of range: it takes numbers from 0 \(Sunday\) to 7/,
    '0 0 * * funday': /^The day of the week "funday" cannot be read: .* sun to sat/,
    '0 0 * foo *': /^The month "foo" cannot be read/,
    '*/0 * * * *': /^The minute "\*\/0" has no step/,
    '*/ * * * *': /^The minute "\*\/" has no step/,
    '0 9-5 * * *': /^The hour "9-5" is a range that ends before it begins/,
    '0 -1 * * *': /^The hour "-1" cannot be read/,
    '0 1.5 * * *': /^The hour "1.5" cannot be read/,
    'x x x x x': /^The minute "x" .*The hour "x" .*The day of the month "x" .*The month "x" .*The day of the week "x"/,
    '@reboot': /^Write five fields, six with seconds first, or one of @yearly/,
    '* * *': /^Write five fields/,
    '0 0 30 2 *': /^No day ever comes that it names\.$/,
  })) {
    assert.match(faultOf(expression), says, expression)
    assert.doesNotMatch(faultOf(expression), /Cron|[Ii]nvalid|configuration|pattern/, expression)
  }
  for (const expression of [
    '*/5 * * * *',
    '0 0 L * *',
    '0 9-17 * * mon-fri',
    '0 0 1,15 jan,JUL ?',
    '@daily',
    '0 0 0 * * 7',
  ])
    assert.equal(faultOf(expression), '', expression)
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
