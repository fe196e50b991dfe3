import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Branch } from '../../components/tree/tree-rows.ts'
import { retryRunCommand } from './command-line.ts'
import { keptCounts, neededApprovals, type PlanNode, planTree } from './plan.ts'
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

const ofChange = (name: string, more: object = {}) => ({
  step_name: name,
  full_path: name,
  action: name,
  step_type: 'standard',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  skip_requested: false,
  requires_approval_from: [],
  children: [],
  ...more,
})

test('what a nested run and its changes keep stands below its step, and only steps of the run itself are skipped', () => {
  const rules = [{ user_names: ['bob'], required_approvals: 1 }]
  const half = ofChange('half', {
    children: [ofChange('a', { full_path: 'half/a' }), ofChange('b', { full_path: 'half/b' })],
  })
  const change = { step_type: 'change', action: 'half', retries: true }
  const inner = step('inner', {
    children: [
      step('done', { full_path: 'inner/done', step_type: 'change', action: 'check' }),
      step('half', {
        full_path: 'inner/half',
        ...change,
        nested_plan: { steps: half, kept_steps: ['half/a'], approved_steps: [] },
      }),
      step('ask', { full_path: 'inner/ask', step_type: 'wait', requires_approval_from: rules }),
      step('lost', { full_path: 'inner/lost', ...change, nested_plan: null, retry_refusal: 'You may not execute it.' }),
      step('asked', {
        full_path: 'inner/asked',
        ...change,
        nested_plan: { steps: ofChange('half', { requires_approval_from: rules }), kept_steps: [], approved_steps: [] },
      }),
    ],
  })
  const run = { step_type: 'workflow', workflow_code: 'inner' }
  const nested = { steps: inner, kept_steps: ['inner/done'], approved_steps: [] }
  const whole = { steps: inner, kept_steps: ['inner'], approved_steps: [] }
  const plan = stepPlanOf({
    steps: step('outer', {
      children: [
        step('first', { full_path: 'outer/first', ...run, nested_plan: whole }),
        step('second', { full_path: 'outer/second', ...run, retries: true, nested_plan: nested }),
      ],
    }),
    kept_steps: ['outer/first'],
    approved_steps: [],
  })
  const tree = planTree(plan, skipNameOf)
  const lines = ({ id, item, children }: Branch<PlanNode>): string[] => [
    `${id} ${item.isKept ? 'kept' : 'again'}${item.skipPath === undefined ? '' : ` skipped by ${item.skipPath}`}`,
    ...children.flatMap(lines),
  ]
  assert.deepEqual(lines(tree[0]!.children[1]!), [
    'outer/second again skipped by second',
    'outer/second › inner/done kept',
    'outer/second › inner/half again',
    'outer/second › inner/half › half/a kept',
    'outer/second › inner/half › half/b again',
    'outer/second › inner/ask again',
    'outer/second › inner/lost again',
    'outer/second › inner/asked again',
    'outer/second › inner/asked › half again',
  ])
  assert.ok(
    lines(tree[0]!.children[0]!).every(line => line.includes(' kept')),
    'a kept run keeps all of it',
  )
  assert.deepEqual(keptCounts(tree), { kept: 6, again: 4 }, 'the steps of a change are not those of a run')
  assert.deepEqual(
    neededApprovals(tree).map(({ path }) => path),
    ['outer/second › inner/ask', 'outer/second › inner/asked › half'],
  )
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
