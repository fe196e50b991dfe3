import { theService } from '#platform/actor.ts'
import type { NewEvent } from '#platform/events.ts'
import { type ActivityMoveName, activityLife } from '../rules/activity.lifecycle.ts'
import { type StepMoveName, stepLife } from '../rules/step.lifecycle.ts'
import type { Activity } from '../store/activity.store.ts'
import type { MovedStep } from '../store/step-transition.store.ts'

type Actor = NewEvent['actor']

/** Fields of a step that moved, for its events. */
export type EventStep = Pick<MovedStep, 'id' | 'status' | 'full_path' | 'action' | 'error_message' | 'swept'>

const subjects = {
  change: { activities: 'changes', activity: 'change', steps: 'steps', step: 'step' },
  workflow_run: {
    activities: 'workflow_runs',
    activity: 'workflow_run',
    steps: 'workflow_steps',
    step: 'workflow_step',
  },
} as const

const about = (activity: Activity) => ({
  node: { id: activity.node_id, path: activity.path, projectId: activity.project_id },
  activityId: activity.id,
})

/** The events of a step that made these moves, for each move that has one in the table. */
export function stepEvents(
  activity: Activity,
  step: EventStep,
  path: readonly StepMoveName[],
  actor: Actor,
): NewEvent[] {
  const subject = subjects[activity.kind]
  return path.flatMap(move => {
    const event = eventOf(activity, move)
    if (!event) return []
    const failed = (move === 'break' || move === 'fail') && step.error_message !== null
    return [
      {
        type: `api:${subject.steps}:${event}`,
        actor,
        source: { type: subject.step, id: step.id },
        ...about(activity),
        attributes: {
          name: step.full_path,
          ...(step.action !== null && { action: step.action }),
          ...(failed && { error: step.error_message }),
        },
      },
    ]
  })
}

/** A failed step of a change has an event of its own (`failureEvent`); a failed step of a run has this one. */
const eventOf = ({ kind }: Activity, move: StepMoveName): string | undefined =>
  kind === 'workflow_run' && move === 'fail' ? 'error' : (stepLife.moves[move] as { event?: string }).event

/** Event of a decision on a waiting step, by a person or by the step's timer. */
export function decisionEvent(
  activity: Activity,
  step: { readonly id: string; readonly full_path: string },
  decision: 'approve' | 'reject' | 'continue',
  actor: Actor,
): NewEvent {
  const subject = subjects[activity.kind]
  return {
    type: `api:${subject.steps}:${decision}`,
    actor: { userId: actor.userId, username: actor.username },
    source: { type: subject.step, id: step.id },
    ...about(activity),
    attributes: { name: step.full_path },
  }
}

/** Why a body failed: its own failure, or that it could not be advanced. */
export type FailureEvent =
  | 'error:step:action'
  | 'error:step:processing'
  | 'error:step:aasm_failure'
  | 'api:steps:error'
  | 'error:log_lines:left_out'
  | 'error:workflow_step:run_failure'

export function failureEvent(activity: Activity, step: EventStep, type: FailureEvent): NewEvent {
  return {
    type,
    actor: theService,
    source: { type: subjects[activity.kind].step, id: step.id },
    ...about(activity),
    attributes: { name: step.full_path, error: step.error_message ?? '' },
  }
}

export function activityEvents(
  activity: Activity,
  path: readonly ActivityMoveName[],
  actor: Actor,
  error?: string,
  request: Readonly<Record<string, unknown>> = {},
): NewEvent[] {
  const subject = subjects[activity.kind]
  return path.flatMap(move => {
    const { event } = activityLife.moves[move] as { event?: string }
    if (!event) return []
    return [
      {
        type: `api:${subject.activities}:${event}`,
        actor,
        source: { type: subject.activity, id: activity.id },
        ...about(activity),
        attributes: { ...(event === 'cancel' && request), ...(error !== undefined && { error }) },
      },
    ]
  })
}

/**
 * Actor of an activity's end. A cancellation is attributed to the user who requested it, also when the service records
 * it later.
 */
export const actorOf = (activity: Activity): Actor =>
  activity.stopping === 'cancelled' && activity.cancelled_by !== null
    ? { userId: activity.cancelled_by_id, username: activity.cancelled_by }
    : theService
