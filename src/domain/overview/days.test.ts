import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZone } from '#platform/time-zone.ts'
import { lastDays } from './days.ts'

const at = (text: string) => Date.parse(text)
const told = (zone: string, now: string, count: number) =>
  lastDays(timeZone(zone)!, at(now), count).map(({ date, from, to }) => [
    date,
    new Date(from).toISOString(),
    new Date(to).toISOString(),
  ])

test('the last days of a time zone end with the one that is there now', () => {
  assert.deepEqual(told('Pacific/Auckland', '2027-01-01T12:00:00Z', 2), [
    ['2027-01-01', '2026-12-31T11:00:00.000Z', '2027-01-01T11:00:00.000Z'],
    ['2027-01-02', '2027-01-01T11:00:00.000Z', '2027-01-02T11:00:00.000Z'],
  ])
})

test('a day on which clocks are put forward has 23 hours', () => {
  assert.deepEqual(told('Europe/Berlin', '2027-03-28T12:00:00Z', 1), [
    ['2027-03-28', '2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
  ])
})

test('a day without midnight begins when clocks were put forward', () => {
  // In Beirut clocks go from 24:00 to 1:00.
  assert.deepEqual(told('Asia/Beirut', '2027-03-28T12:00:00Z', 1), [
    ['2027-03-28', '2027-03-27T22:00:00.000Z', '2027-03-28T21:00:00.000Z'],
  ])
})
