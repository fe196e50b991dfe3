import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { csvColumns } from './csv.ts'
import type { Resource } from './resource.ts'

const events: Resource = {
  type: 'event',
  describe: 'Something that happened.',
  from: sql`events e`,
  id: sql`e.id`,
  lists: [],
  shows: [],
  columns: {
    type: { kind: 'text', sql: sql`e.type`, describe: 'What it was.' },
    username: { kind: 'text', sql: sql`e.username`, describe: 'Who did it.' },
    output: { kind: 'text', sql: sql`e.output`, describe: 'What came of it.', showOnly: true },
  },
  relationships: { source: { kind: 'one', type: 'any', sql: sql`e.source_id`, describe: 'Subject.' } },
  dynamicAttributes: row => row,
  links: () => ({}),
  rights: { fixed: '/events' },
}

const columnsOf = (resource: Resource, ...fields: string[]) =>
  csvColumns(resource, {
    single: false,
    fields: new Map(fields.length > 0 ? [['event', new Set(fields)]] : []),
    includes: new Map(),
  })

test('a download has as columns what its records have in common, and their particulars that are asked for', () => {
  assert.deepEqual(columnsOf(events), ['type', 'username'])
  assert.deepEqual(columnsOf(events, 'request_path', 'type', 'id', 'source', 'output', 'error'), [
    'type',
    'request_path',
    'error',
  ])
  const { dynamicAttributes: _, ...plain } = events
  assert.deepEqual(columnsOf(plain, 'username', 'request_path'), ['username'])
})
