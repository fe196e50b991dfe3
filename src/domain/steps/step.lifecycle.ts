import { lifecycle, type MoveOf, type StateOf } from '#platform/lifecycle/lifecycle.ts'
import { states } from './states.ts'

const { initializing: _, ...statesOfSteps } = states

/**
 * The life of a step. A step has besides its status a `body` (none, open, done, failed): it stays
 * `running` after its body is done, until its children are.
 */
export const stepLife = lifecycle(statesOfSteps, {
  queue: { from: ['pending', 'waiting'], to: 'queued', why: 'its turn has come, or it goes on after its approval' },
  wait: { from: ['pending'], to: 'waiting', why: 'its turn has come, and it is there to wait' },
  pass: {
    from: ['pending'],
    to: 'success',
    why: 'there is nothing to run: a group without unfinished children, or one of which all is left out',
    event: 'success',
  },
  skip: { from: ['pending'], to: 'skipped', why: 'the skip mask names it' },
  claim: { from: ['queued'], to: 'running', why: 'a runner took it, under a new fence', event: 'start' },
  enter: {
    from: ['queued'],
    to: 'running',
    why: 'a group runs nothing itself: its children begin; a step of a workflow run begins what it makes',
    event: 'start',
  },
  proceed: { from: ['waiting'], to: 'running', why: 'continued, and its children begin' },
  release: { from: ['waiting'], to: 'success', why: 'continued, and nothing is beneath it', event: 'success' },
  requeue: { from: ['running'], to: 'queued', why: 'its runner is lost, and on_runner_lost says restart' },
  succeed: { from: ['running'], to: 'success', why: 'its body and all its children ended well', event: 'success' },
  fail: { from: ['running'], to: 'error', why: 'its body or a child failed, or its runner is lost' },
  abort: {
    from: ['pending', 'queued', 'waiting', 'running'],
    to: 'aborted',
    why: 'something before it failed, or it, what it made or something beneath it was rejected',
    event: 'abort',
  },
  cancel: {
    from: ['pending', 'queued', 'waiting', 'running'],
    to: 'cancelled',
    why: 'the activity was cancelled, and nothing of the step runs any more',
    event: 'cancel',
  },
  break: { from: ['running'], to: 'system_error', why: 'the service could not carry it on', event: 'system_error' },
})

export type StepState = StateOf<typeof stepLife>
export type StepMoveName = MoveOf<typeof stepLife>
