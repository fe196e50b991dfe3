import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImpactDocument, impactOf } from './impact.ts'

const node = (path: string, type: string, changes: object[]) => ({
  type: 'affected_node',
  id: path,
  attributes: { node_path: path, node_type: type, changes },
})
const port = [{ op: 'replace', path: '/web/port', value: 80 }]

test('nodes on which the same values change are one group, and are counted by type', () => {
  const impact = impactOf({
    data: [
      node('/projects/bank', 'project', [{ op: 'add', path: '/web', value: { port: 80 } }]),
      node('/projects/bank/environments/live', 'environment', port),
      node('/projects/bank/environments/test', 'environment', port),
    ],
    meta: { nodes_examined: 7, partial_response: true, not_converging: [] },
  } as unknown as ImpactDocument)
  assert.deepEqual(
    impact.groups.map(({ paths }) => paths),
    [['/projects/bank/environments/live', '/projects/bank/environments/test'], ['/projects/bank']],
  )
  assert.deepEqual(impact.counts, [
    ['project', 1],
    ['environment', 2],
  ])
  assert.deepEqual([impact.examined, impact.isPartial], [7, true])
})
