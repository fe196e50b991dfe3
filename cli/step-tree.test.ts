import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitted, type StepRecord, treeLine } from './step-tree.ts'

const step = (fullPath: string, status: string, more: object = {}): StepRecord =>
  ({
    id: fullPath,
    type: 'step',
    attributes: { full_path: fullPath, step_name: fullPath.split('/').at(-1), status_code: status, ...more },
  }) as never

const times = { started_at: '2026-11-21T10:00:00.000000Z', finished_at: '2026-11-21T10:00:01.250000Z' }

test('a line says depth, state, how long it took and why it failed', () => {
  const line = treeLine(step('a/b', 'error', { ...times, error_message: 'exit code 7' }), false)
  assert.equal(line, '  ✘ b  error, 1.3 s, exit code 7')
})

test('a state that this version does not know is shown as it is', () => {
  assert.equal(treeLine(step('a', 'levitating'), false), '? a  levitating')
})

test('a name and a reason cannot break out of their line', () => {
  const line = treeLine(step('a', 'error', { error_message: 'one\ntwo\x1b[2J' }), false)
  assert.equal(line, '✘ a  error, one two')
})

test('a tree that is too tall keeps what is under way and what went wrong, and counts the rest', () => {
  const steps = [
    step('r', 'running'),
    ...Array.from({ length: 50 }, (_, i) => step(`r/s${i}`, i === 40 ? 'error' : i === 45 ? 'running' : 'success')),
  ]
  const lines = fitted(steps, 6, false)
  assert.equal(lines.length, 6)
  assert.ok(lines.includes('  ✘ s40  error') && lines.includes('  ▸ s45  running') && lines[0] === '▸ r  running')
  assert.equal(lines.at(-1), '49 of 51 steps have ended; 46 not shown')
  assert.equal(fitted(steps, 51, false).length, 51)
})
