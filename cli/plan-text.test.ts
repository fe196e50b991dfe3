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

test('the plan of a retry shows what nested runs keep and run again, and the steps of their changes', () => {
  const half = step('', {
    step_name: 'half',
    full_path: 'half',
    children: [
      step('', { step_name: 'fetch', full_path: 'half/fetch', action: 'fetch', step_type: 'standard' }),
      step('', { step_name: 'load', full_path: 'half/load', action: 'load', step_type: 'standard' }),
    ].map(({ name: _, ...each }) => each),
  })
  const inner = (kept_steps: string[]) => ({
    steps: step('nightly', {
      full_path: 'nightly',
      step_type: 'stage',
      children: [
        step('check', { full_path: 'nightly/check', action: 'check', targets: [front] }),
        step('half', {
          full_path: 'nightly/half',
          action: 'half',
          targets: [front],
          retries: kept_steps.length === 1,
          nested_plan: kept_steps.length === 1 ? { steps: half, kept_steps: ['half/fetch'], approved_steps: [] } : null,
        }),
      ],
    }),
    kept_steps,
    approved_steps: [],
  })
  const run = { step_type: 'workflow', workflow_code: 'nightly' }
  const children = [
    step('before', { ...run, nested_plan: inner(['nightly', 'nightly/check', 'nightly/half']) }),
    step('after', { ...run, retries: true, nested_plan: inner(['nightly/check']) }),
    step('locked', { ...run, retries: true, nested_plan: null, retry_refusal: 'It is being retried already.' }),
  ]
  const steps = step('weekly', { full_path: 'weekly', step_type: 'stage', children })
  const text = planText({ ...plan, steps, kept_steps: ['weekly/before'] }, inPipe)
  assert.ok(
    text.includes(`
· weekly
  ✔ before  runs nightly, kept
    ✔ check  check on front, kept
    ✔ half  half on front, kept
  ↻ after  runs nightly, retries its run
    ✔ check  check on front, kept
    ↻ half  half on front, retries its change
      ✔ fetch  kept
      · load
  ↻ locked  runs nightly, retries its run, would fail: It is being retried already.

Steps:         keeps 3 steps that succeeded, runs 2 steps again
`),
    text,
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
