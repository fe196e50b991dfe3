import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keywordOffers, nodeOffers } from './completion-words.ts'

test('every key of the reference is offered, and no other', () => {
  const reference = readFileSync(join(import.meta.dirname, '../../../docs/reference/workflow-yaml.md'), 'utf8')
  const documented = new Set([...reference.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key))
  const offered = keywordOffers.flatMap(({ label, type }) => (type === 'property' ? [label] : []))
  assert.deepEqual(offered.toSorted(), [...documented].toSorted())
})

test('nodes are offered by their path in the project', () => {
  const nodes = [
    { path: '/projects/bank', name: 'Bank' },
    { path: '/projects/bank/environments/live/assets/front', name: 'Front' },
    { path: '/projects/bank2/assets/other', name: 'Other' },
  ]
  assert.deepEqual(nodeOffers('bank', nodes), [
    { label: 'environments/live/assets/front', detail: 'Front', type: 'text' },
  ])
})
