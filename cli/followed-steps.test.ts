import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EndedSteps, FollowedSteps } from './followed-steps.ts'
import type { StepRecord } from './step-tree.ts'

const step = (id: string, parent: string | null, sequence: number, status = 'running') =>
  ({
    id,
    attributes: { step_sequence: sequence, status_code: status },
    relationships: { parent: { data: parent === null ? null : { type: 'step', id: parent } } },
  }) as unknown as StepRecord

const ids = (steps: readonly StepRecord[]) => steps.map(({ id }) => id)

test('steps stand in the order of the tree, also those that are added while it is followed', () => {
  const steps = new FollowedSteps()
  for (const each of [step('root', null, 0), step('b', 'root', 1), step('a', 'root', 0)]) steps.add(each)
  assert.deepEqual(ids(steps.inOrder()), ['root', 'a', 'b'])
  steps.add(step('a2', 'a', 1))
  steps.add(step('a1', 'a', 0))
  steps.add(step('b', 'root', 1, 'success'))
  assert.deepEqual(ids(steps.inOrder()), ['root', 'a', 'a1', 'a2', 'b'])
  assert.equal(steps.get('b')?.attributes.status_code, 'success')
})

test('of steps that have ended children are told before their parents, in whatever order that is heard', () => {
  const ended = new EndedSteps()
  for (const each of [step('root', null, 0), step('a', 'root', 0), step('a1', 'a', 0), step('b', 'root', 1)])
    assert.deepEqual(ended.add(each), [])
  assert.deepEqual(ended.add(step('root', null, 0, 'success')), [])
  assert.deepEqual(ids(ended.add(step('b', 'root', 1, 'success'))), ['b'])
  assert.deepEqual(ended.add(step('a', 'root', 0, 'success')), [])
  assert.deepEqual(ids(ended.add(step('a1', 'a', 0, 'success'))), ['a1', 'a', 'root'])
})

test('at the end parents are told without the children that nobody tells of', () => {
  const ended = new EndedSteps()
  ended.add(step('a', 'root', 0))
  assert.deepEqual(ended.add(step('root', null, 0, 'cancelled')), [])
  assert.deepEqual(ids(ended.rest()), ['root'])
  assert.deepEqual(ended.rest(), [])
})
