import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './plain-text.ts'
import { type Plan, type PlannedStep, planText } from './plan-text.ts'

const step = (name: string, more: Partial<PlannedStep> = {}): PlannedStep => ({
  name,
  full_path: `weekly/${name}`,
  step_type: 'change',
  action: null,
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  skip_requested: false,
  requires_approval_from: [],
  children: [],
  ...more,
})

const front = '/projects/bank/environments/live/assets/front'

const plan: Plan = {
  plan_sha: 'a'.repeat(64),
  parent_path: '/projects/bank',
  workflow_code: 'weekly',
  version: 3,
  steps: step('weekly', {
    full_path: 'weekly',
    step_type: 'stage',
    children: [
      step('check', { action: 'check', targets: [front] }),
      step('go live', {
        step_type: 'wait',
        requires_approval_from: [{ user_names: ['bob'], ldap_groups: ['ops'], required_approvals: 2 }],
      }),
      step('roll out', { action: 'rollout', targets: [front], template_version: 'v2', retries: true }),
      step('nightly', { step_type: 'workflow', workflow_code: 'nightly', skip_requested: true }),
      step('tidy\u001b[2J', { action: 'tidy', targets: [front], ignore_failure: true }),
    ],
  }),
  kept_steps: ['weekly/check'],
  approved_steps: [],
  same_name_predecessors: [],
  slots: { pool: 'runner', configured_limit: 4, claimed_count: 1 },
  estimated_seconds: 300,
}

const inPipe = { isTerminal: false, width: Number.POSITIVE_INFINITY }

test('the plan of a retry says of each step whether it is kept, retried, skipped or needs an approval', () => {
  assert.equal(
    planText(plan, inPipe),
    `Retry of weekly, version 3 in /projects/bank
plan_sha: ${'a'.repeat(64)}

· weekly
  ✔ check  check on front, kept
  … go live  waits, 2 approvals from bob, group ops
  ↻ roll out  rollout on front (v2), retries its change
  - nightly  runs nightly, skipped
  · tidy  tidy on front, continues after a failure

Steps:         keeps 1 step that succeeded, runs 3 steps again
Approvals:     needed by 1 step
Queue:         starts at once
Slots:         1 of 4 in use (runner)
Usually takes: 5 min
`,
  )
})

test('the plan of a change names its commit; it shows earlier approvals, the queue and full slots', () => {
  const { workflow_code: _, version: __, kept_steps: ___, ...rest } = plan
  const root = step('', { step_name: 'rollout', full_path: 'rollout', step_type: 'standard', action: 'rollout' })
  const { name: ____, ...steps } = { ...root, requires_approval_from: [{ user_names: ['bob'] }] }
  const change: Plan = { ...rest, action: 'rollout', parent_path: front, commit_sha: '0123456789ab', steps }
  const text = planText({ ...change, approved_steps: ['rollout'], estimated_seconds: null }, inPipe)
  assert.match(text, new RegExp(`^rollout on ${front}\nplan_sha`))
  assert.match(text, /^· rollout {2}approved already$/m)
  assert.match(text, /^Commit: +01234567$/m)
  assert.match(text, /^Approvals: +none needed$/m)
  assert.match(text, /^Usually takes: +unknown: it has not succeeded yet$/m)
  const full = { ...change.slots, claimed_count: 4 }
  assert.match(planText({ ...change, slots: full }, inPipe), /^Queue: +all slots are in use: it will wait for one$/m)
  const behind = planText({ ...change, same_name_predecessors: ['x', 'y'] }, inPipe)
  assert.match(behind, /^Queue: +behind 2 of the same name$/m)
})

test('on a terminal, steps are cut to its width and colored, and NO_COLOR leaves the same text', () => {
  const long = { ...plan, steps: { ...plan.steps, children: [step('x'.repeat(200)), ...plan.steps.children] } }
  const text = planText(long, { isTerminal: true, width: 80 })
  for (const line of text.split('\n')) assert.ok(widthOf(line) <= 80, line)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colors
  assert.match(text, /\x1b\[90m {2}✔ check/)
  process.env['NO_COLOR'] = '1'
  try {
    assert.equal(planText(long, { isTerminal: true, width: 80 }), stripVTControlCharacters(text))
  } finally {
    delete process.env['NO_COLOR']
  }
})
