import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepDefinition } from '../steps/index.ts'
import { globMatcher } from './glob.ts'
import { withSkipMask } from './skip-mask.ts'

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

const skippedBy = (root: StepDefinition, ...globs: string[]): string[] | undefined => {
  const marked = withSkipMask(root, globs)
  const names = (each: StepDefinition): string[] => [
    ...(each.skip_requested ? [each.step_name] : []),
    ...each.children.flatMap(names),
  ]
  return marked && names(marked)
}

const release = step('release', [step('build'), step('test', [step('unit'), step('end to end')]), step('ship/it')])

test('a glob names steps by their full path, case ignored', () => {
  assert.deepEqual(skippedBy(release, 'Release/BUILD'), ['build'])
  assert.deepEqual(skippedBy(release, 'release/build', 'release/s*'), ['build', 'ship/it'])
  assert.deepEqual(skippedBy(release, 'release/test/**'), ['unit', 'end to end'])
  assert.deepEqual(skippedBy(release, '**/uni?'), ['unit'])
  assert.deepEqual(skippedBy(release, 'release/ship_it'), ['ship/it'])
})

test('what is beneath a step that is left out is left out with it', () => {
  assert.deepEqual(skippedBy(release, 'release/test'), ['test', 'unit', 'end to end'])
  assert.deepEqual(skippedBy(release, 'release/*'), ['build', 'test', 'unit', 'end to end', 'ship/it'])
})

test('siblings of one name are named by their number, as their full paths are', () => {
  const twice = step('release', [step('build'), step('build', [step('unit')])])
  assert.deepEqual(skippedBy(twice, 'release/build-2'), ['build', 'unit'])
  assert.deepEqual(skippedBy(twice, 'release/build-2/unit'), ['unit'])
  assert.deepEqual(skippedBy(twice, 'release/build'), [])
})

test('a glob that would keep a regular expression busy for years is answered, or refused, at once', () => {
  const long = step('a'.repeat(200), [step('b')])
  const began = process.cpuUsage()
  assert.deepEqual(skippedBy(long, `${'*?'.repeat(80)}x`, `${'*'.repeat(250)}x`), [])
  const many = step(
    'release',
    Array.from({ length: 5_000 }, () => step('a'.repeat(200))),
  )
  const globs = Array.from({ length: 100 }, (_, i) => `release/${'*?'.repeat(90)}${i}`)
  assert.throws(() => skippedBy(many, ...globs), /fewer asterisks/)
  assert.ok(process.cpuUsage(began).user < 5_000_000)
})

test('what it takes to look at long paths, and to begin with each glob, counts as work too', () => {
  const refused = (glob: string, text: string, times: number) => {
    const [matches, work] = [globMatcher(glob), { left: 1_000 }]
    for (let i = 0; i < times; i++) matches(text, work)
  }
  assert.throws(() => refused('zz', 'a'.repeat(10_000), 10), /fewer/)
  assert.throws(() => refused('?z', 'a', 100), /fewer/)
  assert.doesNotThrow(() => refused('zz', 'release/build/compile', 500))
})

test('what a regular expression would read as a sign is a letter in a glob', () => {
  assert.deepEqual(skippedBy(release, 'release/(build|test)', 'release/b.ild'), [])
})

test('a mask that would skip the whole change is refused', () => {
  assert.equal(skippedBy(release, '**'), undefined)
})

test('an approval is never skipped', () => {
  const root = step('release', [
    step('sign-off', [], { step_type: 'wait', requires_approval_from: [{ user_names: ['ada'] }] }),
  ])
  assert.deepEqual(skippedBy(root, 'release/*'), [])
})
