import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSteps, previewOf, type ShownStep } from './preview.ts'

const steps: ShownStep[] = [
  {
    type: 'change',
    name: 'stop web',
    line: 2,
    targets: ['/projects/bank/assets/web'],
    action: 'stop',
    run_as: 'parallel',
  },
  {
    type: 'stage',
    name: 'Both',
    line: 4,
    run_as: 'parallel',
    ignore_failure: true,
    children: [
      {
        type: 'change',
        name: 'a',
        targets: ['/projects/bank/assets/a', '/projects/bank/assets/b'],
        run_as: 'parallel',
      },
      {
        type: 'workflow',
        name: 'smoke',
        target: 'smoke',
        version: 3,
        property_overrides: [{}, {}],
        run_as: 'parallel',
      },
    ],
  },
  { type: 'wait', name: 'Settle', seconds: 30, requires_approval_from: null },
  { type: 'wait', name: 'By hand', seconds: null },
  {
    type: 'wait',
    name: 'Approve',
    requires_approval_from: { user_names: ['eve'], ldap_groups: '{{groups}}', required_approvals: 2 },
  },
]

test('kinds, targets and children of the steps', () => {
  const preview = previewOf(steps)
  assert.deepEqual(
    preview.map(({ kind, name }) => [kind, name]),
    [
      ['change', 'stop web'],
      ['stage', 'Both'],
      ['wait', 'Settle'],
      ['wait', 'By hand'],
      ['approval', 'Approve'],
    ],
  )
  assert.deepEqual(
    preview[1]?.children.map(({ key }) => key),
    ['1.0', '1.1'],
  )
  assert.equal(preview[0]?.line, 2)
  assert.equal(countSteps(preview), 7)
})

test('only what has several parts is parallel', () => {
  const [single, stage] = previewOf(steps)
  assert.equal(single?.isParallel, false)
  assert.equal(stage?.isParallel, true)
  assert.deepEqual(
    stage?.children.map(({ isParallel }) => isParallel),
    [true, true],
  )
})

test('facts say what a step waits for and how it runs', () => {
  const [, stage, timer, manual, approval] = previewOf(steps)
  assert.deepEqual(stage?.facts, ['failure is ignored'])
  assert.deepEqual(stage?.children[1]?.facts, ['v3', '2 runs'])
  assert.deepEqual(timer?.facts, ['30 s'])
  assert.deepEqual(manual?.facts, ['until a user continues it'])
  assert.deepEqual(approval?.facts, ['2 of eve, {{groups}}'])
})

test('what the name says already is not repeated', () => {
  const [step] = previewOf([{ type: 'wait', name: 'wait 60 s', seconds: 60 }])
  assert.deepEqual(step?.facts, [])
})

test('revision, template versions and start time of a change', () => {
  const [step] = previewOf([
    {
      type: 'change',
      name: 'notify',
      targets: ['/projects/bank'],
      git_remote_name: 'tools',
      git_rev: 'main',
      template_versions: ['1', '2'],
      start_time: '02:00 Europe/Vienna',
    },
  ])
  assert.deepEqual(step?.facts, ['tools at main', 'template version 1, 2', 'starts at 02:00 Europe/Vienna'])
})
