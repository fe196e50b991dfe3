import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document, Resource, Sluice } from '../client/sluice.ts'
import { type ListOptions, listAt } from './read-records.ts'
import { kindNamed } from './record-kinds.ts'

/** The ids that a list is shown with whose pages come like this. */
async function listed(type: string, pages: readonly string[][], options: ListOptions): Promise<string[]> {
  let written = ''
  const sluice = {
    async *pages(): AsyncGenerator<Document<Resource[]>> {
      for (const ids of pages) yield { data: ids.map(id => ({ id, type, attributes: {} })) }
    },
  } as unknown as Sluice
  const terminal = {
    sluice,
    format: 'json' as const,
    screen: { isTerminal: false, width: 80 },
    write: (text: string) => {
      written += text
    },
    say: () => {},
  }
  await listAt(terminal, kindNamed(type), '/api/anything', options)
  return (JSON.parse(written) as Resource[]).map(({ id }) => id)
}

test('all events and all log lines are listed oldest first, although the page of the newest comes first', async () => {
  const pages = [
    ['3', '4'],
    ['1', '2'],
  ]
  for (const type of ['event', 'log_line', 'node_background_task_log_line', 'agent_log_line'])
    assert.deepEqual(await listed(type, pages, { all: true }), ['1', '2', '3', '4'], type)
  assert.deepEqual(await listed('change', pages, { all: true }), ['3', '4', '1', '2'])
})

test('in an order that was asked for they come as they come', async () => {
  const pages = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  for (const options of [{ sort: ['message'] }, { query: ['filter[sorts]=message asc'] }])
    for (const type of ['event', 'log_line'])
      assert.deepEqual(await listed(type, pages, { all: true, ...options }), ['a', 'b', 'c', 'd'], type)
})
