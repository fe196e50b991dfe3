import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityQuery, countMoreFilters, hasFilters, readActivitySearch } from './search.ts'

test('only known filters are read from an address', () => {
  assert.deepEqual(readActivitySearch({}), {})
  assert.deepEqual(
    readActivitySearch({ status: ['error', 'nonsense'], path: 'web', mine: true, waiting: 'yes', x: 1 }),
    {
      status: ['error'],
      path: 'web',
      mine: true,
    },
  )
  assert.deepEqual(readActivitySearch({ status: 'error', path: '', sort: '-created_at' }), { status: ['error'] })
  assert.deepEqual(readActivitySearch({ sort: 'finished_at', under: '/projects/bank' }), {
    under: '/projects/bank',
    sort: 'finished_at',
  })
  assert.deepEqual(readActivitySearch({ sort: 'drop table' }), {})
})

test('a path that looks like a number stays a text', () => {
  assert.deepEqual(readActivitySearch({ path: 42 }), { path: '42' })
})

test('the query of the API has the filters and the sorting', () => {
  const query = activityQuery({ status: ['error', 'aborted'], path: 'web', active: true, sort: '-finished_at' })
  assert.deepEqual(query['filter[status_code_in][]'], ['error', 'aborted'])
  assert.equal(query['filter[path_cont]'], 'web')
  assert.equal(query['filter[active]'], true)
  assert.equal(query['filter[sorts]'], 'finished_at desc')
  assert.equal(query['filter[mine]'], undefined)
  assert.equal(activityQuery({ name: 'roll' })['filter[name_cont]'], 'roll')
})

test('sorting is no filter', () => {
  assert.equal(hasFilters({ sort: 'created_at' }), false)
  assert.equal(hasFilters({ mine: true }), true)
})

test('a metadata filter asks for the value of a name, or for a part of any', () => {
  assert.equal(activityQuery({ metadata: 'team.name=night=shift' })['filter[metadata.team.name_eq]'], 'night=shift')
  assert.equal(activityQuery({ metadata: 'night' })['filter[metadata_text_cont]'], 'night')
  assert.equal(activityQuery({ metadata: 'what is=this' })['filter[metadata_text_cont]'], 'what is=this')
})

test('filters that open with a button are counted, and a time that is none is left out', () => {
  const search = readActivitySearch({ by: 'ann', from: '2026-11-24T10:00:00.000Z', to: 'tomorrow', mine: true })
  assert.deepEqual(search, { by: 'ann', from: '2026-11-24T10:00:00.000Z', mine: true })
  assert.equal(countMoreFilters(search), 2)
})
