import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZone } from '#platform/time-zone.ts'
import { clockOf, dueByMinutes, sampledZones } from '../../../tests/oracles/due-times.ts'
import { type CronTimes, readCron } from './cron.ts'
import { nextDue } from './due-times.ts'

const cronOf = (text: string): CronTimes => {
  const read = readCron(text)
  assert.ok(!('fault' in read), `${text}: ${(read as { fault?: string }).fault}`)
  return read
}

/** The first due times after an instant. */
function due(text: string, zone: string, from: string, count = 3): string[] {
  const times: string[] = []
  let at = Date.parse(from)
  while (times.length < count) {
    at = nextDue(cronOf(text), timeZone(zone)!, at)!
    times.push(new Date(at).toISOString().replace(':00.000Z', 'Z'))
  }
  return times
}

test('a time that is skipped when clocks go forward is due at the first instant after it', () => {
  assert.deepEqual(due('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z', 2), [
    '2027-03-28T01:00Z',
    '2027-03-29T00:30Z',
  ])
  assert.deepEqual(due('0,20,40 1-3 * * *', 'Europe/Berlin', '2027-03-28T00:40Z', 2), [
    ...['2027-03-28T01:00Z', '2027-03-28T01:20Z'],
  ])
  // Midnight itself is skipped there.
  assert.deepEqual(due('@daily', 'Africa/Cairo', '2027-04-29T12:00Z', 1), ['2027-04-29T22:00Z'])
})

test('a time that comes twice when clocks go back is due once, the first time', () => {
  assert.deepEqual(due('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z', 2), [
    '2027-10-31T00:30Z',
    '2027-11-01T01:30Z',
  ])
  assert.deepEqual(due('0,30 2-3 * * *', 'Europe/Berlin', '2027-10-31T00:00Z'), [
    ...['2027-10-31T00:30Z', '2027-10-31T02:00Z', '2027-10-31T02:30Z'],
  ])
  assert.deepEqual(due('30 2 * * *', 'Europe/Berlin', '2027-10-31T01:10Z', 1), ['2027-11-01T01:30Z'])
})

test('what is due every hour is due in both passes of a repeated hour, and owes nothing for a skipped one', () => {
  assert.deepEqual(due('15 * * * *', 'Europe/Berlin', '2027-10-30T23:30Z'), [
    ...['2027-10-31T00:15Z', '2027-10-31T01:15Z', '2027-10-31T02:15Z'],
  ])
  assert.deepEqual(due('15 * * * *', 'Europe/Berlin', '2027-03-27T23:30Z'), [
    ...['2027-03-28T00:15Z', '2027-03-28T01:15Z', '2027-03-28T02:15Z'],
  ])
  // Half an hour is put back there.
  assert.deepEqual(due('@hourly', 'Australia/Lord_Howe', '2027-04-03T13:30Z', 3), [
    ...['2027-04-03T14:00Z', '2027-04-03T15:30Z', '2027-04-03T16:30Z'],
  ])
})

test('seconds, nicknames and names of days are read; what cannot be says what would be right', () => {
  assert.deepEqual(due('*/20 * * * * *', 'UTC', '2027-01-01T00:00:00Z', 1), ['2027-01-01T00:00:20.000Z'])
  assert.deepEqual(due('@weekly', 'UTC', '2027-01-01T00:00Z', 1), ['2027-01-03T00:00Z'])
  assert.deepEqual(due('0 9 * * MON-FRI', 'UTC', '2027-01-01T10:00Z', 1), ['2027-01-04T09:00Z'])
  for (const [text, fault] of [
    ['every day', /^Write five fields, six with seconds first, or one of @yearly/],
    ['61 * * * *', /^The minute "61" is out of range: it takes numbers from 0 to 59\.$/],
    ['0 0 31 2 *', /^No day ever comes/],
    ['0 0 1 1 * * 2030', /^Write five fields/],
    ['@reboot', /^Write five fields/],
    ['constructor', /^Write five fields/],
  ] as const) {
    const read = readCron(text)
    assert.ok('fault' in read, text)
    assert.match(read.fault, fault)
  }
})

test('a time zone is one of those that Node knows', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'europe/berlin', 'America/Argentina/Ushuaia'])
    assert.ok(timeZone(name), name)
  for (const name of ['Europe/Nowhere', '', '+02:00', '  ']) assert.equal(timeZone(name), undefined, name)
})

test('through the changes of clocks of a sample of zones, what is due is what looking at every minute finds', () => {
  const [from, to] = [Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1)]
  for (const name of sampledZones) {
    const zone = timeZone(name)!
    const clock = clockOf(name, from, to)
    for (const text of ['30 2 * * *', '0,20,40 0-3 * * *', '*/15 * * * *', '@hourly', '0 */2 * * 0', '59 23 * * *']) {
      const cron = cronOf(text)
      for (const stretch of dueByMinutes(clock, text, from, to, 2)) {
        const found: number[] = []
        for (let at = nextDue(cron, zone, stretch.from - 1)!; at < stretch.to; at = nextDue(cron, zone, at)!)
          found.push(at)
        assert.deepEqual(found, stretch.minutes, `${text} in ${name} from ${new Date(stretch.from).toISOString()}`)
      }
    }
  }
})
