import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#platform/documents/document.ts'
import { parseWorkflow } from './read-workflow.ts'
import { resolveWorkflow } from './resolve-workflow.ts'

const resolve = (source: string, properties: JsonObject) => {
  const parsed = parseWorkflow(source)
  assert.ok('steps' in parsed, JSON.stringify(parsed))
  return resolveWorkflow(parsed.steps, { properties, projectPath: '/projects/bank' })
}

const stepsOf = (source: string, properties: JsonObject = {}) => {
  const resolved = resolve(source, properties)
  assert.ok('steps' in resolved, JSON.stringify(resolved))
  return resolved.steps
}

const errorsOf = (source: string, properties: JsonObject = {}) => {
  const resolved = resolve(source, properties)
  assert.ok('errors' in resolved)
  return resolved.errors.map(({ line, column, pointer, message }) => `${line}:${column} ${pointer} ${message}`)
}

test('properties stand in every text of a step, and its name is made of what they make of it', () => {
  const [step] = stepsOf(
    `
steps:
  - target: assets/{{app}}
    action: "{{ release.action }}"
    template_version: v{{release.version}}
    property_overrides: { note: "{{app}} {{release.version}}", all: "{{release}}", deep: [{ x: "{{app}}" }] }
`,
    { app: 'web', release: { action: 'deploy', version: 7 } },
  )
  assert.equal(step!.name, 'deploy web')
  assert.deepEqual(step!.targets, ['/projects/bank/assets/web'])
  assert.equal(step!.action, 'deploy')
  assert.deepEqual(step!.template_versions, ['v7'])
  assert.deepEqual(step!.property_overrides, [
    { note: 'web 7', all: { action: 'deploy', version: 7 }, deep: [{ x: 'web' }] },
  ])
})

test('a placeholder alone keeps the kind of what it stands for: lists, numbers, documents', () => {
  const [change, wait, workflow] = stepsOf(
    `
steps:
  - targets: "{{hosts}}"
    action: go
    template_versions: ["1", "{{rest}}"]
  - seconds: "{{pause}}"
  - type: workflow
    target: report
    version: "{{version}}"
    property_overrides: "{{runs}}"
`,
    {
      hosts: ['assets/a', '/projects/other/assets/b', 'environments/live/assets/c'],
      rest: ['2', '3'],
      pause: 30,
      version: '2',
      runs: [{ to: 'ada' }, { to: 'bob' }],
    },
  )
  assert.deepEqual(change!.targets, [
    '/projects/bank/assets/a',
    '/projects/other/assets/b',
    '/projects/bank/environments/live/assets/c',
  ])
  assert.deepEqual(change!.template_versions, ['1', '2', '3'])
  assert.deepEqual([wait!.seconds, wait!.name], [30, 'wait 30 s'])
  assert.deepEqual([workflow!.version, workflow!.property_overrides], [2, [{ to: 'ada' }, { to: 'bob' }]])
})

test('the project itself is a target by a dot', () => {
  const [step] = stepsOf('steps:\n  - {target: ., action: go, git_remote_name: infra, git_rev: main}\n')
  assert.deepEqual(step!.targets, ['/projects/bank'])
})

test('what does not resolve is told of at its place, all of it at once', () => {
  assert.deepEqual(
    errorsOf(
      `
steps:
  - target: assets/{{app}}
    action: go
    property_overrides:
      known: "{{known}}"
      list:
        - "{{lost}} and {{gone.far}}"
  - children:
      - seconds: "{{pause}}"
      - type: workflow
        target: "{{next}}"
`,
      { known: 1, next: 'not a code' },
    ),
    [
      '3:13 /steps/0/target The project has no property "app".',
      '8:11 /steps/0/property_overrides/list/0 The project has no property "lost".',
      '8:11 /steps/0/property_overrides/list/0 The project has no property "gone.far".',
      '10:18 /steps/1/children/0/seconds The project has no property "pause".',
      '12:17 /steps/1/children/1/target The target of a workflow is the code of one, such as release; not "not a code".',
    ],
  )
})

test('what resolves to something that a step cannot have is refused', () => {
  const source = (key: string) => `steps:\n  - target: assets/web\n    action: go\n    ${key}\n`
  const properties = { no: [], number: 5, texts: ['assets/a', 7], twice: ['assets/a', '/projects/bank/assets/a'] }
  assert.deepEqual(errorsOf(source('property_overrides: "{{number}}"'), properties), [
    '4:25 /steps/0/property_overrides {{number}} is no object.',
  ])
  assert.deepEqual(errorsOf('steps:\n  - {targets: "{{no}}", action: go}\n', properties), [
    '2:15 /steps/0/targets The property {{no}} is an empty list.',
  ])
  assert.deepEqual(errorsOf('steps:\n  - {targets: "{{texts}}", action: go}\n', properties), [
    '2:15 /steps/0/targets 7 is no text.',
  ])
  const asked = 'steps:\n  - requires_approval_from: {user_names: ["{{one}}", ada], required_approvals: 2}\n'
  assert.deepEqual(errorsOf(asked, { one: 'Ada' }), [
    '2:80 /steps/0/requires_approval_from/required_approvals 2 approvals are asked of 1.',
  ])
  assert.deepEqual(errorsOf('steps:\n  - {targets: "{{twice}}", action: go}\n', properties), [
    '2:15 /steps/0/targets Two of the targets are the same node.',
  ])
  assert.deepEqual(errorsOf(source('start_time: "{{number}}"'), properties), [
    '4:17 /steps/0/start_time "start_time" is a time with its zone, such as 2026-11-21T02:00:00Z, or a time of day, such as 02:00 or 02:00 Europe/Vienna (UTC without a zone).',
  ])
})

test('a list of a property makes no more steps than a workflow may have', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => `assets/a${i}`)
  const source = `steps:\n${'  - {targets: "{{many}}", action: go}\n'.repeat(10)}`
  assert.deepEqual(errorsOf(source, { many }), [
    '2:5 /steps The steps come to more than 10000, each target and each run of a workflow counted.',
  ])
  assert.match(errorsOf(source, { many: [...many, 'assets/b'] })[0]!, /"targets" names more than 1000\.$/)
})
