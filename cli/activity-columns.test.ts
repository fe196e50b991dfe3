import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../client/sluice.ts'
import { activityColumns } from './activity-columns.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1_000).toISOString().replace('Z', '000Z')
const change = (attributes: object): Resource =>
  ({
    type: 'change',
    id: '01a21825-f5dd-7d16-b926-e11737801d88',
    attributes: {
      action: 'deploy',
      status_code: 'success',
      node_path: '/projects/bank/environments/test/assets/web',
      created_by: 'ann',
      created_at: at(0),
      started_at: at(1),
      finished_at: at(66),
      ...attributes,
    },
  }) as unknown as Resource
const namesIn = (width: number) => activityColumns({ type: 'change' }, [change({})], width)!.map(({ name }) => name)
const cellIn = (name: string, attributes: object, width = Number.POSITIVE_INFINITY) =>
  activityColumns({ type: 'change' }, [change(attributes)], width, Date.parse(at(8)))!.find(each => each.name === name)!
    .cells[0]

test('a table of changes says how each is, what it is, where, by whom, since when and for how long', () => {
  assert.deepEqual(namesIn(200), ['status', 'action', 'node', 'who', 'when', 'duration', 'id'])
  assert.deepEqual(namesIn(120), ['status', 'action', 'node', 'who', 'when', 'duration'])
  assert.equal(cellIn('node', {}, 80), '…vironments/test/assets/web')
  assert.equal(activityColumns({ type: 'asset' }, [], 80), undefined)
})

test('how long one took has two units, and one that goes on says so', () => {
  assert.equal(cellIn('duration', {}), '1m 5s')
  assert.equal(cellIn('duration', { finished_at: at(1.25) }), '0.3s')
  assert.equal(cellIn('duration', { finished_at: at(90_001) }), '1d 1h')
  assert.equal(cellIn('duration', { finished_at: null }), '7.0s…')
  assert.equal(cellIn('duration', { started_at: null, finished_at: null }), '')
})

test('runs are told by their workflow, and a list of both by either', () => {
  const run = { ...change({ action: undefined, workflow_code: 'release' }), type: 'workflow_run' } as Resource
  assert.deepEqual(activityColumns({ type: 'workflow_run' }, [run], 200)![1], { name: 'workflow', cells: ['release'] })
  assert.deepEqual(activityColumns({ type: 'activity' }, [run, change({})], 200)![1]!.cells, ['release', 'deploy'])
})
