import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersInForce } from './filters-in-force.ts'

interface Search {
  readonly status?: readonly string[]
  readonly by?: string
  readonly mine?: true
  readonly sort?: string
}

const words = {
  mine: { label: 'Mine' },
  by: { label: 'User' },
  status: { label: 'Status', value: (code: string) => code.replaceAll('_', ' ') },
}

test('the filters of an address are said in the order of their words, and what is no filter is left out', () => {
  const search: Search = { status: ['error', 'system_error'], by: 'ann', mine: true, sort: 'created_at' }
  assert.deepEqual(
    filtersInForce(search, words).map(({ text }) => text),
    ['Mine', 'User: ann', 'Status: error', 'Status: system error'],
  )
})

test('one value of several is removed alone, and the last with its parameter', () => {
  const [one] = filtersInForce<Search>({ status: ['error', 'success'] }, words)
  assert.deepEqual(one?.without, { status: ['success'] })
  const [last] = filtersInForce<Search>({ status: ['success'] }, words)
  assert.deepEqual(last?.without, { status: undefined })
})

test('no filter is in force in an address without any', () => {
  assert.deepEqual(filtersInForce<Search>({ sort: 'created_at' }, words), [])
})
