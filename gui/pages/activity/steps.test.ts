import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRecord as step } from './step-record.fixture.ts'
import { stepRows } from './step-rows.ts'
import { progressOf, type StepRecord, Steps } from './steps.ts'

const idsOf = (steps: Steps) => stepRows(steps, () => true).map(({ id }) => id)

test('steps are in the order of the tree, in whichever order they come', () => {
  const steps = new Steps()
  steps.put([step('verify', 'rollout', 'a0a2'), step('fetch', 'prepare', 'a0a1a0')])
  steps.put([step('rollout', null, 'a0'), step('check', 'rollout', 'a0a0'), step('prepare', 'rollout', 'a0a1')])
  assert.deepEqual(idsOf(steps), ['rollout', 'check', 'prepare', 'fetch', 'verify'])
  assert.deepEqual(steps.ancestorsOf('fetch'), ['prepare', 'rollout'])
})

test('a record replaces the known one unless it is older', () => {
  const steps = new Steps()
  const at = (updated_at: string, status_code: string) => step('a', null, 'a0', { updated_at, status_code })
  steps.put([at('2026-11-27T10:00:02Z', 'running')])
  steps.put([at('2026-11-27T10:00:01Z', 'queued')])
  assert.equal(steps.get('a')?.attributes.status_code, 'running')
  steps.put([at('2026-11-27T10:00:03Z', 'success')])
  assert.equal(steps.get('a')?.attributes.status_code, 'success')
  assert.equal(steps.size, 1)
})

test('an update of a known step leaves the shape of the tree as it is', () => {
  const steps = new Steps()
  let calls = 0
  steps.listen(() => {
    calls += 1
  })
  steps.put([step('a', null, 'a0')])
  const { shape, version } = steps
  steps.put([step('a', null, 'a0', { updated_at: '2026-11-27T10:00:05Z' })])
  assert.equal(steps.shape, shape)
  assert.ok(steps.version > version)
  assert.equal(calls, 2)
})

test('progress counts what is done, and names the steps that failed, run and wait themselves', () => {
  const steps = new Steps()
  steps.put([
    step('rollout', null, 'a0', { status_code: 'error' }),
    step('check', 'rollout', 'a0a0'),
    step('verify', 'rollout', 'a0a1', { status_code: 'error' }),
    step('optional', 'rollout', 'a0a2', { status_code: 'error', ignore_failure: true }),
    step('gate', 'rollout', 'a0a3', { status_code: 'waiting_for_approval', step_type: 'wait' }),
    step('group', 'rollout', 'a0a4', { status_code: 'running', step_type: 'stage' }),
    step('restart', 'group', 'a0a4a0', { status_code: 'running' }),
  ])
  const { all, done, failed, waiting, running } = progressOf(steps)
  assert.deepEqual([all, done], [7, 4])
  const ids = (records: readonly StepRecord[]) => records.map(({ id }) => id)
  assert.deepEqual([ids(failed), ids(waiting), ids(running)], [['verify'], ['gate'], ['restart']])
})

test('a change is named by the lowest step that created it', () => {
  const steps = new Steps()
  const creating = (id: string, parent: string | null, order: string) => {
    const record = step(id, parent, order)
    const changes = { data: [{ id: 'change', type: 'change' }] }
    return { ...record, relationships: { ...record.relationships, changes } }
  }
  steps.put([step('run', null, 'a0'), creating('target', 'both', 'a0a0a0'), creating('both', 'run', 'a0a0')])
  assert.equal(steps.creatorOf('change')?.id, 'target')
  assert.equal(steps.creatorOf('other'), undefined)
})
