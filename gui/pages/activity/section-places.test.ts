import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SectionRows } from '../../components/log-window/section-rows.ts'
import { nextPlace, orderedPlaces } from './section-places.ts'

const rows = new SectionRows([
  { id: 'check', lines: 5, isOpen: true },
  { id: 'deploy', lines: 1_000_000, isOpen: false },
  { id: 'verify', lines: 2, isOpen: true },
])
const place = (id: string, line?: number) => ({ id, line })

test('matches are in the order of the sections, not in that of time', () => {
  const found = [place('verify', 1), place('check', 3), place('deploy', 999_999), place('deploy', 7), place('other', 1)]
  const ordered = orderedPlaces(rows, found)
  assert.deepEqual(
    ordered.places.map(({ id, line }) => `${id} ${line}`),
    ['check 3', 'deploy 7', 'deploy 999999', 'verify 1'],
  )
  assert.deepEqual(nextPlace(rows, ordered, undefined, 1), place('check', 3))
  assert.deepEqual(nextPlace(rows, ordered, place('check', 3), 1), place('deploy', 7))
  assert.deepEqual(nextPlace(rows, ordered, place('deploy'), 1), place('deploy', 7))
  assert.deepEqual(nextPlace(rows, ordered, place('deploy', 7), -1), place('check', 3))
  assert.deepEqual(nextPlace(rows, ordered, place('verify', 1), 1), place('check', 3))
  assert.equal(nextPlace(rows, orderedPlaces(rows, []), undefined, 1), undefined)
})
