import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveMessage } from '#client/sluice.ts'
import { RangeLines } from '../../components/log-window/lines.ts'
import { addStreamed, downloadOf, type LogSubject, lineRange, rangeQuery } from './log-source.ts'

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

test('a download is the list of lines as text, in a file with the name of the step', () => {
  assert.equal(downloadOf(ofChange, 'rollout'), '/api/changes/1/log_lines?download=rollout.log')
  const group = { ...ofStep, query: { include_child_steps: 'true' } }
  assert.equal(
    downloadOf(group, 'Go live: "now"/später'),
    '/api/steps/s/log_lines?include_child_steps=true&download=Go-live-now-sp%C3%A4ter.log',
  )
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

test('streamed lines that belong before others make these be read again, if some were never read', () => {
  const lines = unread()
  addStreamed(lines, ofChange, [news(['a', 'b'], { line: 4, line_count: 6 })])
  assert.equal(addStreamed(lines, ofChange, [news(['x'], { line: 3, line_count: 7 }, 'other')]), false)
  assert.deepEqual([lines.count, lines.get(3), lines.get(4)], [7, undefined, undefined])
})

test('the log of a step takes its own lines only', () => {
  const lines = unread()
  addStreamed(lines, ofStep, [news(['x'], { step_line: 0 }, 'other'), news(['a'], { step_line: 7 })])
  assert.deepEqual([lines.count, lines.get(7)?.message], [8, 'a'])
})

test('lines of parallel steps are sorted in among those that came before, if all of these are in memory', () => {
  const at = (time: string, step_id: string, message: string) => ({
    attributes: { logged_at: time, category: 'stdout', attempt: 1, step_id, message },
  })
  const told = (line: number, line_count: number, data: object[]): LiveMessage => ({
    kind: 'log_lines',
    data,
    meta: { line, line_count },
  })
  const lines = unread()
  const first = told(0, 3, [at('10:00:01', 'a', 'a1'), at('10:00:03', 'a', 'a2'), at('10:00:05', 'a', 'a3')])
  addStreamed(lines, ofChange, [first])
  addStreamed(lines, ofChange, [
    told(1, 6, [at('10:00:02', 'b', 'b1'), at('10:00:03', 'b', 'b2'), at('10:00:06', 'b', 'b3')]),
  ])
  const texts = () => Array.from({ length: lines.count! }, (_, index) => lines.get(index)?.message)
  assert.deepEqual(texts(), ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
})

test('lines of the stream of a log itself have their place in it, whichever step wrote them', () => {
  const lines = unread()
  const group: LogSubject = { ...ofStep, query: { include_child_steps: 'true' }, follows: 'own' }
  assert.equal(addStreamed(lines, group, [news(['a', 'b'], { line: 7, line_count: 9, step_line: 3 }, 'child')]), false)
  assert.deepEqual([lines.count, lines.get(7)?.message, lines.get(8)?.message], [9, 'a', 'b'])
})

test('without places, and after a lost connection, the end is read again', () => {
  assert.equal(addStreamed(unread(), ofChange, [news(['a'], { step_line: 0 })]), true)
  assert.equal(addStreamed(unread(), ofChange, []), true)
})
