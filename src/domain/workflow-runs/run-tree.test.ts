import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowStep } from '#authoring/workflows/workflow-tree.ts'
import type { StepDefinition } from '../steps/index.ts'
import { runTree } from './run-tree.ts'

const step = (type: WorkflowStep['type'], name: string, over: Partial<WorkflowStep> = {}): WorkflowStep => ({
  type,
  name,
  line: 1,
  run_as: 'sequential',
  ignore_failure: false,
  children: [],
  targets: [],
  template_versions: [],
  property_overrides: [],
  reset_on_retry: false,
  ...over,
})

const change = (name: string, targets: string[], over: Partial<WorkflowStep> = {}) =>
  step('change', name, { targets, action: 'deploy', ...over })

interface Outline {
  readonly [name: string]: Outline | string
}
const outline = ({ step_name, step_type, definition, children }: StepDefinition): Outline => ({
  [step_name]:
    children.length > 0
      ? Object.assign({}, ...children.map(outline))
      : `${step_type}${definition === null ? '' : ' that makes'}`,
})

test('a step with one target makes its change itself, one with several stands above one for each', () => {
  const tree = runTree(
    'release',
    [change('one', ['/p/a']), change('two', ['/p/a', '/p/b'], { run_as: 'parallel' })],
    [],
  )!
  assert.deepEqual(outline(tree.root), {
    release: { one: 'change that makes', two: { a: 'change that makes', b: 'change that makes' } },
  })
  assert.equal(tree.root.children[1]!.child_execution_strategy, 'parallel')
  assert.deepEqual(
    tree.makings.map(making => making?.targets),
    [undefined, ['/p/a'], ['/p/a', '/p/b'], ['/p/a'], ['/p/b']],
  )
})

test('template versions go to the targets in order, and one of them to all', () => {
  const versions = (given: string[]) =>
    runTree('r', [change('c', ['/p/a', '/p/b'], { template_versions: given })], [])!
      .makings.slice(1)
      .map(making => making!.template_version)
  assert.deepEqual(versions(['1', '2']), [null, '1', '2'])
  assert.deepEqual(versions(['1']), ['1', '1', '1'])
  assert.deepEqual(versions([]), [null, null, null])
})

test('a workflow runs once for each of its overrides, and once without any', () => {
  const nested = (overrides: WorkflowStep['property_overrides']) =>
    runTree('r', [step('workflow', 'n', { workflow: 'inner', property_overrides: overrides })], [])!
      .makings.slice(1)
      .map(making => making!.property_overrides)
  assert.deepEqual(nested([]), [{}])
  assert.deepEqual(nested([{ a: 1 }]), [{ a: 1 }])
  assert.deepEqual(nested([{ a: 1 }, { a: 2 }]), [{}, { a: 1 }, { a: 2 }])
})

test('of a step with several targets the step above is the one whose failure is ignored', () => {
  const [both] = runTree('r', [change('both', ['/p/a', '/p/b'], { ignore_failure: true })], [])!.root.children
  assert.deepEqual([both!.ignore_failure, both!.children.map(each => each.ignore_failure)], [true, [false, false]])
})

test('a mask takes what is beneath a step with it, and never an approval', () => {
  const approvers = { user_names: ['eve'], ldap_groups: [], required_approvals: 1 }
  const steps = [
    step('stage', 'Prepare', {
      children: [change('c', ['/p/a', '/p/b']), step('wait', 'ask', { requires_approval_from: approvers })],
    }),
    change('last', ['/p/a']),
  ]
  const { root } = runTree('r', steps, ['prep*'])!
  const marked = (each: StepDefinition): string[] => [
    ...(each.skip_requested ? [each.step_name] : []),
    ...each.children.flatMap(marked),
  ]
  assert.deepEqual(marked(root), ['Prepare', 'c', 'a', 'b'])
  assert.equal(runTree('r', steps, ['*']), undefined, 'that would be all of it')
})
