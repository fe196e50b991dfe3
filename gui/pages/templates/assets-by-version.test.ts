import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeSummary, Resource } from '../../api/records.ts'
import { assetsByVersion } from './assets-by-version.ts'

const node = (path: string, template_version: string | null, archived = false) =>
  ({ id: path, type: 'node_summary', attributes: { path, template_version, archived } }) as Resource<NodeSummary>

test('assets are grouped by the version that they have, and those that have it already are left out', () => {
  const nodes = [node('/a', '1'), node('/b', '2'), node('/c', '3'), node('/d', '2'), node('/e', '1', true)]
  assert.deepEqual(assetsByVersion(nodes, '3'), [
    {
      from: '2',
      assets: [
        { id: '/b', path: '/b', from: '2' },
        { id: '/d', path: '/d', from: '2' },
      ],
    },
    { from: '1', assets: [{ id: '/a', path: '/a', from: '1' }] },
  ])
  assert.deepEqual(assetsByVersion([node('/p', null)], '3'), [])
})
