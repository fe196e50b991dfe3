import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryRunCommand } from './command-line.ts'
import { planTree } from './plan.ts'
import { type PlannedRunStep, skipNameOf, stepPlanOf } from './workflow-plan.ts'
import { retryRunAttributes } from './workflow-retry-form.ts'

const step = (name: string, more: Partial<PlannedRunStep> = {}): PlannedRunStep => ({
  name,
  full_path: name,
  step_type: 'stage',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  skip_requested: false,
  requires_approval_from: [],
  targets: [],
  action: null,
  template_version: null,
  workflow_code: null,
  retries: false,
  children: [],
  ...more,
})

test('a step says what it runs where, and what it retries; it is skipped by its name', () => {
  const rollout = step('roll/out', {
    full_path: 'weekly/roll_out',
    step_type: 'change',
    action: 'deploy',
    targets: ['/projects/bank/assets/front', '/projects/bank/assets/back'],
    template_version: 'v2',
    retries: true,
  })
  const nested = step('night', { full_path: 'weekly/night', step_type: 'workflow', workflow_code: 'nightly' })
  const plan = stepPlanOf({
    plan_sha: '',
    parent_path: '/projects/bank',
    workflow_code: 'weekly',
    version: 1,
    name: 'weekly',
    steps: step('weekly', { children: [rollout, nested] }),
    kept_steps: ['weekly/night'],
    same_name_predecessors: [],
    slots: { pool: 'runner', configured_limit: 1, claimed_count: 0 },
    estimated_seconds: null,
  })
  const [first, second] = planTree(plan, skipNameOf)[0]!.children.map(({ item }) => item)
  assert.deepEqual(
    [first!.step.detail, first!.step.retries, first!.skipPath],
    ['deploy on front, back (v2)', 'change', 'roll_out'],
  )
  assert.deepEqual([second!.step.detail, second!.step.retries, second!.isKept], ['runs nightly', undefined, true])
})

test('the retry of a run sends what differs from its original', () => {
  const original = { form: { skipSteps: 'a', metadata: 'ticket=1', overrides: '' }, overrides: {}, version: 1 }
  const same = { ...original.form, version: 1, notBefore: '' }
  assert.deepEqual(retryRunAttributes(same, {}, original), { retry: true })
  const attributes = retryRunAttributes({ ...same, version: 2, skipSteps: '', metadata: '' }, { a: 1 }, original)
  assert.deepEqual(attributes, {
    retry: true,
    version: 2,
    skip_steps: [],
    metadata: {},
    property_overrides: { a: 1 },
  })
  assert.equal(retryRunCommand('x', attributes), 'sluice workflow-runs retry x version=2 --property a=1')
})
