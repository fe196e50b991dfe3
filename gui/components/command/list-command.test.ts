import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCommand } from './list-command.ts'

test('filters and sorting of a page become options, and what concerns only the page is left out', () => {
  assert.equal(
    listCommand('activities', {
      limit: 100,
      'filter[sorts]': 'created_at desc, id',
      'filter[status_code_in][]': ['running', 'error'],
      'filter[path_cont]': "it's here",
      'filter[active]': true,
      'filter[enabled_eq]': false,
      'fields[activity]': 'name',
    }),
    `sluice list activities --sort -created_at --sort id --filter status_code_in=running,error --filter 'path_cont=it'\\''s here' --filter active --filter enabled_eq=false`,
  )
})

test('a node stands before the options, and filters of which one suffices stay so', () => {
  assert.equal(
    listCommand(
      'workflows',
      { 'filter[m]': 'or', 'filter[name_cont]': 'a', 'filter[code_cont]': 'a' },
      '/projects/bank',
    ),
    'sluice list workflows /projects/bank --any --filter name_cont=a --filter code_cont=a',
  )
})

test('a filter without values is left out', () => {
  assert.equal(listCommand('users', { 'filter[x_in][]': [] }), 'sluice list users')
})
