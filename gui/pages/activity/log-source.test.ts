import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveMessage } from '#client/sluice.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { addStreamed, type LogSubject, lineRange, rangeQuery } from './log-source.ts'

const shown = (line: number, message: string, more = {}) =>
  JSON.stringify({ line, logged_at: 't', category: 'stdout', attempt: 1, step_id: 's', message, ...more })

const unread = () => new RangeLines(() => new Promise(() => {}))
const ofChange: LogSubject = { path: '/api/changes/1/log', query: {}, follows: 'change' }
const ofStep: LogSubject = { path: '/api/steps/s/log', query: {}, follows: 'step', stepId: 's' }

const news = (messages: readonly string[], meta: Record<string, unknown>, step_id = 's'): LiveMessage => ({
  kind: 'log_lines',
  data: messages.map(message => ({ attributes: { logged_at: 't', category: 'stdout', attempt: 1, step_id, message } })),
  meta,
})

test('an answer is read with the length of the log', () => {
  const body = `${shown(500, 'one')}\n${shown(501, 'two', { category: 'stderr' })}\n`
  const { from, lines, total } = lineRange(500, 'lines 500-501/200000', body)
  assert.deepEqual([from, total], [500, 200_000])
  assert.deepEqual(
    lines.map(({ message, category, stepId }) => [message, category, stepId]),
    [
      ['one', 'stdout', 's'],
      ['two', 'stderr', 's'],
    ],
  )
})

test('the last lines begin where the answer says', () => {
  assert.equal(lineRange(undefined, 'lines 1234-1234/1235', shown(1_234, 'end')).from, 1_234)
})

test('an empty log, and a range behind its end', () => {
  assert.deepEqual(lineRange(undefined, 'lines */0', ''), { from: 0, lines: [], total: 0 })
  assert.deepEqual(lineRange(50, 'lines */7', ''), { from: 50, lines: [], total: 7 })
})

test('a line that was never stored keeps its place', () => {
  const { lines } = lineRange(0, 'lines 0-2/3', `${shown(0, 'a')}\n${shown(2, 'c')}`)
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['a', '', 'c'],
  )
})

test('the query names a range or the last lines', () => {
  assert.equal(rangeQuery(ofChange, 500, 20), 'from=500&lines=20')
  const withChildren = { ...ofStep, query: { include_child_steps: 'true' } }
  assert.equal(rangeQuery(withChildren, undefined, 500), 'include_child_steps=true&tail=500')
})

test('streamed lines of a change are added behind the others', () => {
  const lines = unread()
  assert.equal(addStreamed(lines, ofChange, [news(['a', 'b'], { line: 0, line_count: 2, step_line: 0 })]), false)
  addStreamed(lines, ofChange, [news(['c'], { line: 2, line_count: 3, step_line: 0 }, 'other')])
  assert.equal(lines.count, 3)
  assert.equal(lines.get(2)?.message, 'c')
})

test('streamed lines that belong before others make these be read again', () => {
  const lines = unread()
  addStreamed(lines, ofChange, [news(['a', 'b'], { line: 0, line_count: 2 })])
  assert.equal(addStreamed(lines, ofChange, [news(['x'], { line: 1, line_count: 3 }, 'other')]), false)
  assert.deepEqual([lines.count, lines.get(0)?.message, lines.get(1)], [3, 'a', undefined])
})

test('the log of a step takes its own lines only', () => {
  const lines = unread()
  addStreamed(lines, ofStep, [news(['x'], { step_line: 0 }, 'other'), news(['a'], { step_line: 7 })])
  assert.deepEqual([lines.count, lines.get(7)?.message], [8, 'a'])
})

test('without places, and after a lost connection, the end is read again', () => {
  assert.equal(addStreamed(unread(), { ...ofStep, follows: 'polled' }, [news(['a'], { step_line: 0 })]), true)
  assert.equal(addStreamed(unread(), ofChange, [news(['a'], { step_line: 0 })]), true)
  assert.equal(addStreamed(unread(), ofChange, []), true)
})
