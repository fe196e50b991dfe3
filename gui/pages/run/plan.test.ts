import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptCounts, neededApprovals, type Plan, type PlannedStep, skipPathsOf, planTree as treeOf } from './plan.ts'

const step = (step_name: string, children: PlannedStep[] = [], more: Partial<PlannedStep> = {}): PlannedStep => ({
  step_name,
  full_path: step_name,
  action: step_name,
  step_type: children.length > 0 ? 'stage' : 'standard',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  skip_requested: false,
  requires_approval_from: [],
  children,
  ...more,
})

/** The step with the full paths that the API gives it. */
const placed = (step: PlannedStep, above = ''): PlannedStep => {
  const full_path = `${above}${step.step_name}`
  return { ...step, full_path, children: step.children.map(child => placed(child, `${full_path}/`)) }
}

const planTree = (plan: Plan) => treeOf(plan, skipPathsOf(plan))

const plan = (steps: PlannedStep, kept_steps?: string[]): Plan => ({
  plan_sha: 'a.b',
  action: steps.step_name,
  parent_path: '/projects/bank',
  git_remote_name: 'code',
  commit_sha: 'd4317c7a',
  template_version: null,
  steps: placed(steps),
  ...(kept_steps && { kept_steps }),
  requires_approval_from: [],
  converged_properties: {},
  same_name_predecessors: [],
  slots: { pool: 'runner', configured_limit: 15, claimed_count: 0 },
  estimated_seconds: null,
})

const rules = [{ user_names: ['bob'], required_approvals: 1 }]
const rollout = step('rollout', [
  step('check'),
  step('prepare', [step('fetch'), step('warm')]),
  step('go', [step('restart')], { requires_approval_from: rules }),
  step('skipped', [], { skip_requested: true }),
])

test('steps are known by their full paths', () => {
  const [root] = planTree(plan(rollout))
  assert.deepEqual(
    root!.children[1]!.children.map(({ id }) => id),
    ['rollout/prepare/fetch', 'rollout/prepare/warm'],
  )
})

test('steps are skipped by their path below an approval of the settings', () => {
  const above = step('Approve', [rollout], { action: null, step_type: 'wait' })
  const [root] = planTree({ ...plan(above), action: 'rollout' })
  const check = root!.children[0]!.children[0]!
  assert.equal(check.id, 'Approve/rollout/check')
  assert.equal(check.item.skipPath, 'rollout/check')
})

test('a kept group keeps everything in it', () => {
  const counts = (kept?: string[]) => keptCounts(planTree(plan(rollout, kept)))
  assert.deepEqual(counts(['rollout/check', 'rollout/prepare']), { kept: 3, again: 1 })
  assert.deepEqual(counts(), { kept: 0, again: 4 })
})

test('approvals are named with their step, but for kept steps and those that are approved already', () => {
  const needed = (more: Partial<Plan> = {}, given?: string[]) =>
    neededApprovals(planTree({ ...plan(rollout), ...more }), given)
  assert.deepEqual(needed(), [{ path: 'rollout/go', rules, isAgain: false }])
  assert.deepEqual(needed({ kept_steps: ['rollout/go'] }), [])
  assert.deepEqual(needed({ kept_steps: [], approved_steps: ['rollout/go'] }), [])
  assert.deepEqual(needed({ kept_steps: [] }, ['rollout/go']), [{ path: 'rollout/go', rules, isAgain: true }])
})
