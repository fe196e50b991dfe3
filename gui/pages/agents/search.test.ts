import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentQuery, readAgentSearch } from './search.ts'

test('filters of agents come from the address, and archived ones are left out unless they are asked for', () => {
  assert.deepEqual(readAgentSearch({ q: 12, archived: true, other: 'x' }), { q: '12', archived: true })
  assert.deepEqual(readAgentSearch({ q: '', archived: 'true' }), {})
  const { 'filter[name_cont]': part, 'filter[archived_eq]': archived } = agentQuery({ q: 'watch' })
  assert.deepEqual([part, archived], ['watch', false])
  assert.equal('filter[archived_eq]' in agentQuery({ archived: true }), false)
})
