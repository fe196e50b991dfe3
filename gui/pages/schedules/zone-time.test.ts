import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockChanges, instantOf, offsetAt, shortTime, timeHere, wallTime } from './zone-time.ts'

test('offsets of zones, also before and after a change of the clocks', () => {
  assert.equal(offsetAt('UTC', 0), 0)
  assert.equal(offsetAt('Europe/Berlin', Date.UTC(2027, 0, 1)), 60)
  assert.equal(offsetAt('Europe/Berlin', Date.UTC(2027, 6, 1)), 120)
  assert.equal(offsetAt('America/St_Johns', Date.UTC(2027, 0, 1)), -210)
  assert.equal(offsetAt('Nowhere/Town', 0), undefined)
})

test('a wall-clock time has its instant', () => {
  assert.equal(instantOf('2027-01-10T02:30', 'Europe/Berlin'), '2027-01-10T01:30:00.000Z')
  assert.equal(instantOf('2027-07-10T02:30', 'Europe/Berlin'), '2027-07-10T00:30:00.000Z')
  // Clocks are set forward from 02:00 to 03:00: 02:30 does not exist.
  assert.equal(instantOf('2027-03-28T02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z')
  // Clocks are set back from 03:00 to 02:00: 02:30 comes twice.
  assert.equal(instantOf('2027-10-31T02:30', 'Europe/Berlin'), '2027-10-31T00:30:00.000Z')
  assert.equal(instantOf('', 'UTC'), undefined)
  assert.equal(instantOf('2027-01-10T02:30', 'Nowhere/Town'), undefined)
})

test('an instant has its wall-clock time', () => {
  assert.equal(wallTime('2027-07-10T00:30:00Z', 'Europe/Berlin'), '2027-07-10T02:30')
  assert.equal(shortTime('2027-03-28T00:30:00Z', 'Europe/Berlin'), 'Sun, 28 Mar 2027, 01:30')
})

test('my time names the day only if it is another one', () => {
  assert.equal(timeHere('2027-01-10T02:30:00Z', 'Europe/Berlin', 'UTC'), '03:30')
  assert.equal(timeHere('2027-01-10T23:30:00Z', 'Europe/Berlin', 'UTC'), 'Mon 00:30')
})

test('changes of the clocks between times', () => {
  assert.deepEqual(
    clockChanges(['2027-03-27T02:30:00+01:00', '2027-03-28T03:00:00+02:00', '2027-03-29T02:30:00+02:00']),
    [undefined, { before: '+01:00', after: '+02:00' }, undefined],
  )
})
