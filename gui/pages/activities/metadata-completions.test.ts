import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataCompletions } from './metadata-completions.ts'

test('a filter by metadata is completed by the names of metadata, and then by their values', () => {
  const documents = [{ ticket: 'CHG-2', team: { lead: 'ann' } }, { ticket: 'CHG-1' }, { ticket: 'CHG-2', build: 7 }]
  assert.deepEqual(metadataCompletions(documents), [
    'build=',
    'team.lead=',
    'ticket=',
    'build=7',
    'team.lead=ann',
    'ticket=CHG-1',
    'ticket=CHG-2',
  ])
})

test('lists and names that no filter can take complete nothing', () => {
  assert.deepEqual(metadataCompletions([{ a: [1], 'b c': 'x', d: null }, null, undefined, {}]), [])
})

test('twenty values of a name are offered at most', () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ ticket: `CHG-${at}` }))
  assert.equal(metadataCompletions(many).length, 21)
})
