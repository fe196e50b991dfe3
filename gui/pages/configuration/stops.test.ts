import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopAt, stopsOf, timeOfStop } from './stops.ts'

const time = (second: number, micros = '000000') => `2026-11-24T10:00:0${second}.${micros}Z`
const stops = stopsOf(
  [
    {
      type: 'project',
      name: 'Bank',
      versions: [
        { version: 1, start: time(0) },
        { version: 2, start: time(4) },
      ],
    },
    {
      type: 'asset',
      name: 'Front',
      versions: [
        { version: 1, start: time(2) },
        { version: 2, start: time(3, '000002') },
      ],
      templateVersions: [
        { version: '2.0', active_from: time(4) },
        { version: '3.0', active_from: time(3, '000001') },
      ],
    },
  ],
  time(2),
)

test('the stops are the versions of all layers since the node was created, in order', () => {
  assert.deepEqual(
    stops.map(({ at, changes }) => [at, changes.map(({ name, version }) => `${name} ${version}`)]),
    [
      [time(2), []],
      [time(3, '000001'), ['Front 3.0']],
      [time(3, '000002'), ['Front 2']],
      [time(4), ['Bank 2', 'Front 2.0']],
    ],
  )
})

test('a time between two stops shows the earlier one', () => {
  assert.equal(stopAt(stops, time(3)), 0)
  assert.equal(stopAt(stops, time(3, '000001')), 1)
  assert.equal(stopAt(stops, time(3, '5')), 2)
  assert.equal(stopAt(stops, '2026-11-24'), 3)
  assert.equal(stopAt(stops, '2020-01-01'), 0)
  assert.equal(stopAt(stops, undefined), 3)
})

test('the last stop is the present, which the address does not hold', () => {
  assert.equal(timeOfStop(stops, 3), undefined)
  assert.equal(timeOfStop(stops, 9), undefined)
  assert.equal(timeOfStop(stops, 1), time(3, '000001'))
  assert.equal(timeOfStop(stops, -1), time(2))
})
