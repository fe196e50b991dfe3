import type { Counters } from '../store/step-transition.store.ts'
import type { ActivityMoveName, ActivityState } from './activity.lifecycle.ts'
import type { Stopping } from './next-moves.ts'
import type { StepState } from './step.lifecycle.ts'

export interface ActivityNow extends Pick<Counters, 'n_queued' | 'n_running' | 'n_waiting'> {
  readonly kind: string
  readonly status: ActivityState
  readonly stopping: Stopping
  readonly holds_slot: boolean
}

/**
 * Moves of the activity that follow from its counters and its root: its end, the first that applies of cancelled,
 * aborted (a reject), system_error, error, success; waiting, while every outstanding step waits; queued, when it
 * continues without a slot.
 */
export function activityMoves(activity: ActivityNow, root: StepState | undefined): ActivityMoveName[] {
  const end = root && endOf(root, activity.stopping)
  if (end) return [...wayTo(end, activity.status), end]
  const underWay = activity.n_running + activity.n_queued > 0
  if (activity.status === 'waiting' && underWay) {
    return activity.holds_slot || activity.kind === 'workflow_run' ? ['go_on'] : ['queue']
  }
  if (activity.status === 'running' && !underWay && activity.n_waiting > 0) return ['wait']
  return []
}

const ends = {
  success: 'succeed',
  skipped: 'succeed',
  error: 'fail',
  aborted: 'fail',
  cancelled: 'cancel',
  system_error: 'break',
} as const satisfies Partial<Record<StepState, ActivityMoveName>>

function endOf(root: StepState, stopping: Stopping): ActivityMoveName | undefined {
  if (!(root in ends)) return undefined
  if (stopping === 'cancelled') return 'cancel'
  if (stopping === 'rejected') return 'abort'
  return ends[root as keyof typeof ends]
}

/** Moves that come before an end, because the table ends some lives only from running. */
export function wayTo(end: ActivityMoveName, from: ActivityState): ActivityMoveName[] {
  if (end !== 'fail' && end !== 'break' && !(end === 'succeed' && from === 'queued')) return []
  return from === 'waiting' ? ['go_on'] : from === 'queued' ? ['resume'] : []
}
