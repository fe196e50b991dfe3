import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  hasWorkflowFilters,
  readWorkflowListSearch,
  readWorkflowSearch,
  workflowListPath,
  workflowQuery,
} from './search.ts'

test('only known filters are read from an address', () => {
  assert.deepEqual(readWorkflowListSearch({}), {})
  assert.deepEqual(readWorkflowListSearch({ text: 7, project: 'bank', archived: true, x: 1 }), {
    text: '7',
    project: 'bank',
    archived: true,
  })
  assert.deepEqual(readWorkflowListSearch({ text: '', archived: 'yes' }), {})
})

test('tab and versions of one workflow', () => {
  assert.deepEqual(readWorkflowSearch({ tab: 'versions', version: '3', against: 2 }), {
    tab: 'versions',
    version: 3,
    against: 2,
  })
  assert.deepEqual(readWorkflowSearch({ tab: 'editor', version: 0, against: 'x' }), {})
})

test('archived workflows are left out unless they are asked for', () => {
  assert.equal(workflowQuery({})['filter[archived_eq]'], false)
  assert.equal('filter[archived_eq]' in workflowQuery({ archived: true }), false)
  assert.equal(workflowQuery({ text: 'rel' })['filter[name_or_code_cont]'], 'rel')
})

test('the list of one project has its own path', () => {
  assert.equal(workflowListPath({}), '/api/workflows')
  assert.equal(workflowListPath({ project: 'bank' }), '/api/projects/bank/workflows')
  assert.equal(hasWorkflowFilters({ project: 'bank' }), true)
  assert.equal(hasWorkflowFilters({ columns: 'name,draft' }), false)
})
