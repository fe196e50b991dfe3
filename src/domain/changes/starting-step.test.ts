import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepDefinition } from '../steps/index.ts'
import { withStartingStep } from './starting-step.ts'

const step = (
  step_name: string,
  children: StepDefinition[] = [],
  more: Partial<StepDefinition> = {},
): StepDefinition => ({
  action: step_name,
  step_name,
  description: null,
  step_type: 'standard',
  child_execution_strategy: 'sequential',
  ignore_failure: false,
  definition: {},
  children,
  ...more,
})
const sign = step('Sign', [step('signed')], { step_type: 'wait', requires_approval_from: [{ user_names: ['ada'] }] })
const release = step('release', [
  step('build', [step('compile'), sign]),
  step('roll out', [step('a'), step('b'), step('b')], { child_execution_strategy: 'parallel' }),
  step('check/it'),
])

function leftOut(path: string): string[] | string {
  const started = withStartingStep(release, path)
  if ('why' in started) return started.why
  const names = (each: StepDefinition): string[] => [
    ...(each.skip_requested ? [each.step_name] : []),
    ...each.children.flatMap(names),
  ]
  return names(started)
}

test('what is before the step is left out, and the bodies of what it lies beneath, but no approval', () => {
  assert.deepEqual(leftOut('release/check_it'), ['release', 'build', 'compile', 'signed', 'roll out', 'a', 'b', 'b'])
  assert.deepEqual(leftOut('release/build/sign'), ['release', 'build', 'compile'])
  assert.deepEqual(leftOut('release/build/Sign/signed'), ['release', 'build', 'compile'])
})

test('what runs at the same time is not before it', () => {
  assert.deepEqual(leftOut('RELEASE/roll out/B-2'), ['release', 'build', 'compile', 'signed', 'roll out'])
})

test('a change that begins with its root leaves nothing out', () => {
  assert.deepEqual(leftOut('release'), [])
})

test('a step that there is not is refused with the one that was probably meant', () => {
  assert.equal(leftOut('release/chek_it'), 'The change has no step release/chek_it; did you mean release/check_it?')
  assert.equal(leftOut('x'), 'The change has no step x.')
})
