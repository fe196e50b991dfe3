import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOnEach, countsOf, type Outcome, type Row } from './bulk-action.ts'

const row = (id: string, ...can: string[]) => ({ id, meta: { can }, attributes: {} }) as unknown as Row

test('each activity that allows it has a request of its own, and every result is reported', async () => {
  const rows = [row('a', 'pause', 'cancel'), row('b'), row('c', 'pause'), row('d', 'pause')]
  const refusal = new Error('it has ended meanwhile')
  const sent: string[] = []
  const reports: ReadonlyMap<string, Outcome>[] = []
  const outcomes = await actOnEach(
    rows,
    'pause',
    async ({ id }) => {
      sent.push(id)
      if (id === 'c') throw refusal
    },
    state => reports.push(state),
  )
  assert.deepEqual(sent, ['a', 'c', 'd'])
  assert.deepEqual(
    [...outcomes],
    [
      ['a', { state: 'done' }],
      ['b', { state: 'impossible' }],
      ['c', { state: 'refused', error: refusal }],
      ['d', { state: 'done' }],
    ],
  )
  assert.deepEqual(countsOf(outcomes), { impossible: 1, waiting: 0, done: 2, refused: 1 })
  assert.deepEqual(countsOf(reports[0]!), { impossible: 1, waiting: 3, done: 0, refused: 0 })
  assert.equal(reports.length, 4)
})

test('few requests are under way at the same time', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => row(String(i), 'cancel'))
  let now = 0
  let most = 0
  await actOnEach(
    rows,
    'cancel',
    async () => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
    },
    () => undefined,
  )
  assert.ok(most > 1 && most <= 4, String(most))
})
