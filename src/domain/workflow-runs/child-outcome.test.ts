import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepWithChild } from '../steps/for-workflow-runs.ts'
import { childOutcome } from './child-outcome.ts'

const made = (over: Partial<StepWithChild>): StepWithChild => ({
  step_id: 's',
  full_path: 'r/s',
  ignore_failure: false,
  open: true,
  made_id: 'c1',
  made_kind: 'change',
  made_reported: 'success',
  made_final: true,
  made_error: null,
  made_cancelled_by: null,
  run_id: 'r',
  run_node_id: 'n',
  run_project_id: 'n',
  run_path: '/projects/bank',
  ...over,
})

/** Reported end of what was made, whether that is ignored, what becomes of the run → the outcome. */
const table: [string, boolean, 'cancelled' | 'rejected' | null, string][] = [
  ['success', false, null, 'done'],
  ['error', false, null, 'failed'],
  ['cancelled', false, null, 'cancelled'],
  ['rejected', false, null, 'rejected'],
  ['system_error', false, null, 'broken'],
  ['cancelled', true, null, 'failed'],
  ['rejected', true, null, 'failed'],
  ['error', true, null, 'failed'],
  ['system_error', true, null, 'broken'],
  ['cancelled', true, 'cancelled', 'cancelled'],
  ['success', true, 'cancelled', 'done'],
]

for (const [made_reported, ignore_failure, stopping, outcome] of table) {
  const ignored = ignore_failure ? ', which is ignored,' : ''
  test(`what ended as ${made_reported}${ignored} ends the step of a run that is ${stopping ?? 'going on'} as ${outcome}`, () => {
    assert.equal(childOutcome(made({ made_reported, ignore_failure }), { stopping }).outcome, outcome)
  })
}

test('the step says what came of it, and by whom', () => {
  const words = (over: Partial<StepWithChild>) => childOutcome(made(over), { stopping: null }).errorMessage
  assert.equal(words({ made_reported: 'success' }), undefined)
  assert.equal(words({ made_reported: 'cancelled', made_cancelled_by: 'bob' }), 'The change c1 was cancelled by bob.')
  assert.equal(
    words({ made_reported: 'error', made_error: 'no such branch', made_kind: 'workflow_run' }),
    'The workflow run c1 ended in error: no such branch',
  )
})
