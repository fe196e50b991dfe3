import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startsAt } from './start-time.ts'

/** The start time, the time of the step's turn, and the time when it starts. */
const table: readonly (readonly [what: string, text: string, turn: string, starts: string])[] = [
  ['a time of day that is still to come', '02:00', '2027-01-01T01:59Z', '2027-01-01T02:00Z'],
  ['this very moment', '02:00', '2027-01-01T02:00Z', '2027-01-01T02:00Z'],
  ['one that has passed', '02:00:30', '2027-01-01T02:00:31Z', '2027-01-02T02:00:30Z'],
  ['another zone, where it is tomorrow', '02:00 Asia/Tokyo', '2027-01-01T16:30Z', '2027-01-01T17:00Z'],
  ['another zone, where it is yesterday', '22:00 America/New_York', '2027-01-02T02:30Z', '2027-01-02T03:00Z'],
  ['one that clocks skip', '02:30 Europe/Berlin', '2027-03-27T12:00Z', '2027-03-28T01:00Z'],
  ['one that comes twice', '02:30 Europe/Berlin', '2027-10-31T00:10Z', '2027-10-31T00:30Z'],
  ['its second pass', '02:30 Europe/Berlin', '2027-10-31T00:40Z', '2027-10-31T01:30Z'],
  ['half an hour put back', '01:45 Australia/Lord_Howe', '2027-04-03T14:50Z', '2027-04-03T15:15Z'],
  ['the day after clocks are put back', '02:30 Europe/Berlin', '2027-10-31T01:31Z', '2027-11-01T01:30Z'],
]

for (const [what, text, turn, starts] of table)
  test(`a step with a time of day starts at the next such time of its zone: ${what}`, () => {
    assert.equal(startsAt(text, Date.parse(turn)), new Date(starts).toISOString())
  })

test('a step with a date starts then, also when that has passed', () => {
  assert.equal(
    startsAt('2026-11-21T02:00:00.000001+01:00', Date.parse('2027-01-01')),
    '2026-11-21T02:00:00.000001+01:00',
  )
})
