import { lifecycle, type MoveOf, type StateOf } from '#platform/lifecycle/lifecycle.ts'
import { states } from './states.ts'

const { initializing: _, ...statesOfSteps } = states

/**
 * The lifecycle of a step. In addition to its status a step has a `body` (none, open, done, failed): it stays `running`
 * after its body is done, until its children are.
 */
export const stepLife = lifecycle(statesOfSteps, {
  queue: { from: ['pending', 'waiting'], to: 'queued', why: 'all predecessors have ended, or the step was approved' },
  wait: { from: ['pending'], to: 'waiting', why: 'all predecessors have ended, and the step is a wait' },
  pass: {
    from: ['pending'],
    to: 'success',
    why: 'nothing to run: a group without unfinished children, or with skipped children only',
    event: 'success',
  },
  skip: { from: ['pending'], to: 'skipped', why: 'the skip mask contains the step' },
  claim: { from: ['queued'], to: 'running', why: 'a runner claimed the step, with a new fence', event: 'start' },
  enter: {
    from: ['queued'],
    to: 'running',
    why: 'a group starts its children; a step of a workflow run starts what it creates',
    event: 'start',
  },
  proceed: { from: ['waiting'], to: 'running', why: 'continued, and the children start' },
  release: { from: ['waiting'], to: 'success', why: 'continued, and there are no children', event: 'success' },
  requeue: { from: ['running'], to: 'queued', why: 'the runner was lost, and on_runner_lost is restart' },
  succeed: { from: ['running'], to: 'success', why: 'the body and all children succeeded', event: 'success' },
  fail: { from: ['running'], to: 'error', why: 'the body or a child failed, or the runner was lost' },
  abort: {
    from: ['pending', 'queued', 'waiting', 'running'],
    to: 'aborted',
    why: 'a predecessor failed, or the step, a descendant or a created activity was rejected',
    event: 'abort',
  },
  cancel: {
    from: ['pending', 'queued', 'waiting', 'running'],
    to: 'cancelled',
    why: 'the activity was cancelled, and all processes of the step have ended',
    event: 'cancel',
  },
  break: {
    from: ['running'],
    to: 'system_error',
    why: 'the service could not advance the step',
    event: 'system_error',
  },
})

export type StepState = StateOf<typeof stepLife>
export type StepMoveName = MoveOf<typeof stepLife>
