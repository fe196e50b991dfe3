import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf } from './origin.ts'

const included = [
  {
    type: 'properties_version',
    id: '1',
    attributes: { owner_type: 'Environment', version: 3 },
    links: { owner: '/api/projects/bank/environments/live' },
  },
  {
    type: 'properties_version',
    id: '2',
    attributes: { owner_type: 'Template', version: 2 },
    links: { owner: '/api/x' },
  },
]

test('the origin of a value is the kind, name, version and node of its layer', () => {
  assert.deepEqual(originOf('Environment: Live: EU (live)', included), {
    kind: 'environment',
    name: 'Live: EU (live)',
    version: 3,
    path: '/projects/bank/environments/live',
  })
  assert.deepEqual(originOf('Template: Web (web)', included), { kind: 'template', name: 'Web (web)', version: 2 })
  assert.deepEqual(originOf('Repository: web/defaults.yaml'), { kind: 'repository', name: 'web/defaults.yaml' })
  assert.deepEqual(originOf('Default'), { kind: 'default', name: '' })
  assert.deepEqual(originOf('Environment variable'), { kind: 'environment_variable', name: '' })
})

test('a source of a kind that this page does not know is shown as it is', () => {
  assert.deepEqual(originOf('Cluster: a'), { kind: 'unknown', name: 'Cluster: a' })
})
