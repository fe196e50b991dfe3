import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenLines, lineText, readActivityPageSearch } from './search.ts'

test('the address holds the tab, the step, the lines, the search and the filter', () => {
  const search = {
    tab: 'timeline',
    step: '01a21d30-c9c4-715c-9d40-f89889e9743c',
    line: 150_000,
    by: 'step',
    find: 'timeout',
    filter: 'check',
    only: 'unfinished',
  }
  assert.deepEqual(readActivityPageSearch(search), search)
  assert.deepEqual(readActivityPageSearch({ line: '20-17' }), { line: '17-20' })
})

test('what is no parameter is left out, and the first tab needs none', () => {
  assert.deepEqual(
    readActivityPageSearch({ tab: 'log', step: 'x', line: 'abc', by: 'time', find: '', only: 'all', more: 1 }),
    {},
  )
  assert.deepEqual(readActivityPageSearch({ find: 404 }), { find: '404' })
})

test('an event is open in the tab of the events only', () => {
  assert.deepEqual(readActivityPageSearch({ tab: 'events', event: 'x1' }), { tab: 'events', event: 'x1' })
  assert.deepEqual(readActivityPageSearch({ tab: 'details', event: 'x1' }), { tab: 'details' })
})

test('lines are one number or a range in either order', () => {
  assert.deepEqual(chosenLines('17'), { from: 17, to: 17 })
  assert.deepEqual(chosenLines('20-17'), { from: 17, to: 20 })
  for (const none of ['0', '-3', '1-', '1-2-3', '1.5', '', undefined]) assert.equal(chosenLines(none), undefined, none)
  assert.deepEqual(chosenLines(17), { from: 17, to: 17 })
  // A number, which the router writes without quotes.
  assert.equal(lineText({ from: 17, to: 17 }), 17)
  assert.equal(lineText({ from: 17, to: 20 }), '17-20')
})
