import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataCleanupDefinition } from '../../../api/records.ts'
import { attributesOf, formOf, nodesText, ruleText } from './rule.ts'

const attributes = {
  name: 'Nightly',
  kind: 'activities',
  older_than: 'P90D',
  cron_schedule: '@daily',
  time_zone: 'UTC',
  node_paths: ['/projects/bank%', '/projects/shop'],
  filters: { status_code_in: ['success'] },
  maximum_per_run: 10_000,
} as unknown as DataCleanupDefinition

test('a rule in a form and back is the same rule', () => {
  const form = formOf({ id: '1', type: 'data_cleanup_definition', attributes }, 'UTC')
  assert.equal(form.node_paths, '/projects/bank%\n/projects/shop')
  assert.deepEqual(attributesOf(form), { attributes, errors: {} })
})

test('empty fields mean no filters and no maximum', () => {
  const { attributes: given, errors } = attributesOf(formOf(undefined, 'Europe/Berlin'))
  assert.deepEqual(errors, {})
  assert.partialDeepStrictEqual(given, {
    filters: {},
    maximum_per_run: null,
    node_paths: ['%'],
    time_zone: 'Europe/Berlin',
  })
})

test('what cannot be read is an error of its field', () => {
  for (const filters of ['{', '[]', '1', 'null'])
    assert.deepEqual(Object.keys(attributesOf({ ...formOf(undefined, 'UTC'), filters }).errors), ['filters'], filters)
  const { errors } = attributesOf({ ...formOf(undefined, 'UTC'), maximum_per_run: '-1' })
  assert.deepEqual(Object.keys(errors), ['maximum_per_run'])
})

test('a rule is described in words', () => {
  assert.equal(ruleText(attributes), 'Deletes changes and workflow runs older than P90D, at most 10,000 per run')
  assert.equal(nodesText(['/projects/a', '%']), 'of all nodes, and of none')
})
