import type { Made, StepWithChild } from '../steps/for-workflow-runs.ts'
import type { Activity } from '../steps/index.ts'

/**
 * Outcome of a step whose change or run has ended: the same as the child's. With `ignore_failure` a failed, cancelled
 * or rejected child does not fail the step, and its message remains on the step; unless it was cancelled with the whole
 * run.
 */
export function childOutcome(made: StepWithChild, run: Pick<Activity, 'stopping'>): Made {
  const outcome = outcomes[made.made_reported] ?? 'failed'
  if (outcome === 'done') return { outcome }
  const errorMessage = wordsOf(made)
  const ignored = made.ignore_failure && run.stopping !== 'cancelled' && outcome !== 'broken'
  return { outcome: ignored ? 'failed' : outcome, errorMessage }
}

const outcomes: Readonly<Record<string, Made['outcome']>> = {
  success: 'done',
  error: 'failed',
  cancelled: 'cancelled',
  rejected: 'rejected',
  system_error: 'broken',
}

const kinds = { change: 'change', workflow_run: 'workflow run' } as const
const ends: Readonly<Record<string, string>> = {
  error: 'ended in error',
  cancelled: 'was cancelled',
  rejected: 'was rejected',
  system_error: 'could not be carried out by the service',
}

function wordsOf({ made_id, made_kind, made_reported, made_error, made_cancelled_by }: StepWithChild): string {
  const by = made_reported === 'cancelled' && made_cancelled_by !== null ? ` by ${made_cancelled_by}` : ''
  const why = made_error === null ? '.' : `: ${made_error}`
  return `The ${kinds[made_kind]} ${made_id} ${ends[made_reported] ?? `ended as ${made_reported}`}${by}${why}`
}
