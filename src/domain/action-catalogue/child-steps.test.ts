import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { readActionsFile } from '#authoring/actions/actions-file.ts'
import { readChildSteps } from './child-steps.ts'

const catalogue = readActionsFile(
  'actions.yaml',
  Buffer.from(`
actions:
  one: { run: echo one }
  two: { name: Second, needs: [one], run: echo two }
  both: { steps: [one, two] }
`),
) as ActionCatalogue

type Step = { readonly step_name: string; readonly children: readonly Step[] }
const named = (steps: readonly Step[]): unknown[] =>
  steps.map(({ step_name, children }) => (children.length > 0 ? [step_name, named(children)] : step_name))

function namesOf(list: readonly unknown[], depth = 1): unknown {
  const read = readChildSteps(catalogue, list, depth)
  return 'faults' in read ? read.faults : named(read)
}

test('steps are added as an actions.yaml writes them, and an action may go by another name', () => {
  assert.deepEqual(namesOf(['ONE', 'both', { action: 'two', name: 'Third' }]), [
    'one',
    ['both', ['one', 'Second']],
    'Third',
  ])
  assert.deepEqual(namesOf([{ name: 'S', steps: ['one', { wait: 'W', steps: ['two'] }] }]), [
    ['S', ['one', ['W', ['Second']]]],
  ])
  assert.deepEqual(namesOf([]), [])
})

test('each that cannot be is told with its number, all at once', () => {
  assert.deepEqual(namesOf(['one', 'too', { name: 'S', stepps: [] }, 7]), [
    'child_steps[1]: There is no action "too" at this commit. Did you mean "two"?',
    'child_steps[2]: A stage has "steps".',
    'child_steps[2]: Unknown key "stepps"; did you mean "steps"?',
    'child_steps[3]: A step is the name of an action, a stage, a wait or an input.',
  ])
  assert.deepEqual(namesOf([{ action: 'one', steps: ['two'] }]), [
    'child_steps[0]: Unknown key "steps"; known: action, name',
  ])
})

test('a step that adds itself for ever is stopped, and so is one that adds millions', () => {
  assert.deepEqual(namesOf(['one'], 63), ['one'])
  assert.deepEqual(namesOf(['one'], 64), ['child_steps would be nested deeper than 64 levels below the root.'])
  assert.deepEqual(namesOf(['both'], 63), ['child_steps would be nested deeper than 64 levels below the root.'])
  assert.deepEqual(namesOf(Array.from({ length: 20_001 }, () => 'one')), ['child_steps come to more than 20000 steps.'])
  assert.deepEqual(namesOf(Array.from({ length: 7_000 }, () => 'both')), ['child_steps come to more than 20000 steps.'])
  const deep = Array.from({ length: 10_000 }).reduce<unknown>(beneath => ({ name: 'S', steps: [beneath] }), 'one')
  assert.match(String(namesOf([deep])), /nested deeper than/)
})
