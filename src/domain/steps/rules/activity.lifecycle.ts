import { lifecycle, type MoveOf, movesFrom, type StateOf } from '#platform/lifecycle/lifecycle.ts'
import { states } from './states.ts'

/** The lifecycle of an activity: a change or a workflow run. */
export const activityLife = lifecycle(states, {
  ready: {
    from: ['initializing'],
    to: 'pending',
    why: 'the revision is resolved, and the tree is stored, or will be derived by a program after admission',
  },
  start: { from: ['pending'], to: 'running', why: 'admitted', event: 'start' },
  wait: { from: ['running'], to: 'waiting', why: 'all unfinished steps are waiting' },
  go_on: { from: ['waiting'], to: 'running', why: 'a step continues, and the activity still has its slot' },
  queue: { from: ['waiting'], to: 'queued', why: 'a step continues, and the activity needs a slot' },
  resume: { from: ['queued'], to: 'running', why: 'the activity has a slot again' },
  succeed: { from: ['running', 'waiting'], to: 'success', why: 'all steps succeeded', event: 'success' },
  fail: {
    from: ['initializing', 'running'],
    to: 'error',
    why: 'a step failed, or the preparation failed',
    event: 'error',
  },
  cancel: {
    from: ['initializing', 'pending', 'queued', 'running', 'waiting'],
    to: 'cancelled',
    why: 'a user cancelled the activity, and its last running step has ended',
    event: 'cancel',
  },
  abort: {
    from: ['pending', 'queued', 'running', 'waiting'],
    to: 'aborted',
    why: 'an approver rejected a step',
    event: 'abort',
  },
  break: {
    from: ['pending', 'running'],
    to: 'system_error',
    why: 'the service could not advance the activity',
    event: 'system_error',
  },
})

export type ActivityState = StateOf<typeof activityLife>
export type ActivityMoveName = MoveOf<typeof activityLife>

/** The moves open to an activity in a stored status; none for a status that is not one. */
export const activityMovesOf = (status: string): ActivityMoveName[] =>
  status in states ? movesFrom(activityLife, status as ActivityState) : []
