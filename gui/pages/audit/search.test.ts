import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditQuery, countFilters, csvAddress, readAuditSearch } from './search.ts'

test('only filters are read from an address', () => {
  assert.deepEqual(readAuditSearch({}), {})
  assert.deepEqual(
    readAuditSearch({ type: 'changes', user: '', node: ' /projects/bank ', from: 'yesterday', x: 1, name: 42 }),
    { type: 'changes', node: '/projects/bank', name: '42' },
  )
  assert.deepEqual(readAuditSearch({ from: '2026-11-24T10:00:00.000Z' }), { from: '2026-11-24T10:00:00.000Z' })
})

test('the query of the API has the filters, the newest event first', () => {
  const query = auditQuery({ type: 'update', user: 'an', node: '/projects/bank', source: 'change', record: 'x' })
  assert.equal(query['filter[type_cont]'], 'update')
  assert.equal(query['filter[username_start]'], 'an')
  assert.equal(query['filter[under]'], '/projects/bank')
  assert.equal(query['filter[source_type_eq]'], 'change')
  assert.equal(query['filter[source_id_eq]'], 'x')
  assert.equal(query['filter[sorts]'], 'created_at desc')
  assert.equal('filter[created_at_gteq]' in query, false)
})

test('the CSV file has the filters and no limit', () => {
  const address = new URL(csvAddress({ type: 'a&b', event: 'shown' }, '2026-11-24'), 'http://x')
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    'filter[type_cont]': 'a&b',
    download: 'events-2026-11-24.csv',
  })
})

test('the event that is shown is no filter', () => {
  assert.equal(countFilters({ event: 'x' }), 0)
  assert.equal(countFilters({ event: 'x', from: 'y' }), 1)
})
