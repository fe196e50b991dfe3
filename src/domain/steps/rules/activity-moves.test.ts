import assert from 'node:assert/strict'
import { test } from 'node:test'
import { follow } from '#platform/lifecycle/lifecycle.ts'
import { activityLife } from './activity.lifecycle.ts'
import { type ActivityNow, activityMoves } from './activity-moves.ts'

const activity = (over: Partial<ActivityNow>): ActivityNow => ({
  kind: 'change',
  status: 'running',
  stopping: null,
  holds_slot: true,
  n_queued: 0,
  n_running: 0,
  n_waiting: 0,
  ...over,
})

test('an activity waits while every outstanding step waits, and not before', () => {
  assert.deepEqual(activityMoves(activity({ n_waiting: 2 }), undefined), ['wait'])
  assert.deepEqual(activityMoves(activity({ n_waiting: 2, n_running: 1 }), undefined), [])
  assert.deepEqual(activityMoves(activity({ n_waiting: 2, n_queued: 1 }), undefined), [])
})

test('one that goes on keeps its slot when it still has it, and asks for one when not', () => {
  const goesOn = { status: 'waiting', n_queued: 1 } as const
  assert.deepEqual(activityMoves(activity(goesOn), undefined), ['go_on'])
  assert.deepEqual(activityMoves(activity({ ...goesOn, holds_slot: false }), undefined), ['queue'])
  assert.deepEqual(activityMoves(activity({ ...goesOn, holds_slot: false, kind: 'workflow_run' }), undefined), [
    'go_on',
  ])
})

test('its end is the first that applies of cancelled, rejected, system error, error, success', () => {
  const roots = ['success', 'skipped', 'error', 'aborted', 'system_error'] as const
  const end = (over: Partial<ActivityNow>) =>
    roots.map(root => {
      const now = activity(over)
      return follow(activityLife, now.status, activityMoves(now, root))
    })
  assert.deepEqual(end({}), ['success', 'success', 'error', 'error', 'system_error'])
  assert.deepEqual(end({ status: 'waiting' }), ['success', 'success', 'error', 'error', 'system_error'])
  assert.deepEqual(new Set(end({ stopping: 'rejected' })), new Set(['aborted']))
  assert.deepEqual(new Set(end({ stopping: 'cancelled' })), new Set(['cancelled']))
})
