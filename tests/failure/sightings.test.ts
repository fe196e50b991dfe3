import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Look, Sightings } from './sightings.ts'

const look = (now: number, more: Partial<Look> = {}): Look => ({ now, running: [], admissible: [], steps: [], ...more })
const running = (contact: number | null) => ({ running: [{ id: 's/1', contact }] })

/** Sightings from the end of a fault at 100, one per second. */
function afterFault(seconds: number, at: (now: number) => Partial<Look>): Sightings {
  const seen = new Sightings()
  seen.faultEnded()
  for (let now = 100; now <= 100 + seconds; now += 1) seen.see(look(now, at(now)))
  return seen
}

test('a step that ran at a fault and is not heard of for more than 30 seconds is found, and is not once it is heard or resolved', () => {
  assert.equal(afterFault(29, () => running(99)).tooLong().length, 0)
  assert.match(
    afterFault(40, () => running(99))
      .tooLong()
      .join(),
    /neither adopted nor resolved for 40 s/,
  )
  assert.match(
    afterFault(40, () => running(null))
      .tooLong()
      .join(),
    /for 40 s/,
  )
  const heard = afterFault(100, now => running(now < 110 ? 99 : now))
  assert.deepEqual([heard.slowestAdoption, heard.tooLong()], [9, []])
  const resolved = afterFault(100, now => (now < 110 ? running(99) : {}))
  assert.deepEqual([resolved.slowestAdoption, resolved.tooLong()], [9, []])
})

test('a step that began after the fault is nobody’s business', () => {
  assert.equal(afterFault(60, now => (now > 100 ? running(99) : {})).slowestAdoption, 0)
})

test('whatever could start and stands beside a free slot for more than 31 seconds is found', () => {
  for (const what of ['admissible', 'steps'])
    assert.match(
      afterFault(32, () => ({ [what]: ['a'] }))
        .tooLong()
        .join(),
      /stood beside a free slot for 32 s: a, until 1970-01-01T00:02:12/,
    )
  const inTurn = afterFault(60, now => ({ admissible: [now < 130 ? 'a' : 'b'] }))
  assert.deepEqual([inTurn.longestBesideAFreeSlot, inTurn.tooLong()], [30, []])
})

test('time in which something is away does not count, and of a machine that stood still five seconds at most', () => {
  const seen = new Sightings()
  const stands = (now: number) => seen.see(look(now, { admissible: ['a'] }))
  stands(100)
  stands(101)
  seen.interrupted()
  stands(200)
  stands(201)
  assert.equal(seen.longestBesideAFreeSlot, 2)
  stands(300)
  assert.equal(seen.longestBesideAFreeSlot, 7)
})
