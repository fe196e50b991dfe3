import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiveEvents, mergeLive, noLiveEvents, withArrivals } from './merge-live.ts'

const event = (id: string, minute: number, hash: string | null = 'sealed') => ({
  id,
  attributes: { created_at: `2026-11-24T10:0${minute}:00.000000Z`, hash },
})
type Row = ReturnType<typeof event>
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).join('')
const none: LiveEvents<Row> = noLiveEvents

test('at the top of the list, arrivals are shown above it', () => {
  const live = withArrivals(withArrivals(none, [event('c', 3)], true), [event('d', 4), event('e', 5)], true)
  const { rows, heldCount } = mergeLive([event('b', 2), event('a', 1)], live)
  assert.equal(ids(rows), 'edcba')
  assert.equal(heldCount, 0)
})

test('further down, arrivals are held back and counted until the person goes to the top', () => {
  const live = withArrivals(withArrivals(none, [event('c', 3)], true), [event('d', 4), event('e', 5)], false)
  const { rows, heldCount } = mergeLive([event('b', 2), event('a', 1)], live)
  assert.equal(ids(rows), 'cba')
  assert.equal(heldCount, 2)
  assert.equal(ids(mergeLive([event('b', 2), event('a', 1)], withArrivals(live, [], true)).rows), 'edcba')
})

test('an event that the list shows already is replaced in its place and not counted', () => {
  const live = withArrivals(none, [event('b', 2)], false)
  const { rows, heldCount } = mergeLive([event('b', 2, null), event('a', 1)], live)
  assert.equal(ids(rows), 'ba')
  assert.equal(rows[0]?.attributes.hash, 'sealed')
  assert.equal(heldCount, 0)
  assert.equal(withArrivals(live, [event('b', 2)], false).arrived.length, 1)
})
