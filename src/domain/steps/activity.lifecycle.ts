import { lifecycle, type MoveOf, movesFrom, type StateOf } from '#platform/lifecycle/lifecycle.ts'
import { states } from './states.ts'

/** The life of an activity, that is of a change or a workflow run. */
export const activityLife = lifecycle(states, {
  ready: {
    from: ['initializing'],
    to: 'pending',
    why: 'its revision is resolved, and its tree is stored, or to be asked of a program once it is admitted',
  },
  start: { from: ['pending'], to: 'running', why: 'admitted', event: 'start' },
  wait: { from: ['running'], to: 'waiting', why: 'every outstanding step waits' },
  go_on: { from: ['waiting'], to: 'running', why: 'a step goes on, and its slot is still its own' },
  queue: { from: ['waiting'], to: 'queued', why: 'it goes on, and needs a slot first' },
  resume: { from: ['queued'], to: 'running', why: 'it has a slot again' },
  succeed: { from: ['running', 'waiting'], to: 'success', why: 'every step ended well', event: 'success' },
  fail: {
    from: ['initializing', 'running'],
    to: 'error',
    why: 'a step failed, or it could not be prepared',
    event: 'error',
  },
  cancel: {
    from: ['initializing', 'pending', 'queued', 'running', 'waiting'],
    to: 'cancelled',
    why: 'somebody cancelled it, and the last running step is known to have ended',
    event: 'cancel',
  },
  abort: {
    from: ['pending', 'queued', 'running', 'waiting'],
    to: 'aborted',
    why: 'somebody rejected it',
    event: 'abort',
  },
  break: {
    from: ['pending', 'running'],
    to: 'system_error',
    why: 'the service could not carry it on',
    event: 'system_error',
  },
})

export type ActivityState = StateOf<typeof activityLife>
export type ActivityMoveName = MoveOf<typeof activityLife>

/** The moves open to an activity in a stored status; none for a status that is not one. */
export const activityMovesOf = (status: string): ActivityMoveName[] =>
  status in states ? movesFrom(activityLife, status as ActivityState) : []
