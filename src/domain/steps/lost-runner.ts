import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { addToLog } from '../runners/index.ts'
import { activityLife } from './activity.lifecycle.ts'
import { type Activity, lockActivity } from './activity.store.ts'
import { advance, carryOut, endBroken, mayRun, type Report, wantRunner } from './advance.ts'
import type { EngineParts } from './engine.ts'
import { neighbourhoodOf } from './neighbourhood.store.ts'
import { bodyRuns, stepChange, unfinishedSteps } from './unfinished.store.ts'

/**
 * A runner is known to be gone, and so is everything that it had started: its steps are resolved as the activity's
 * on_runner_lost says (execution.md 3). The caller has marked the runner as gone in the same transaction, so that the
 * activity can have another.
 */
export async function resolveLostRunner(
  parts: EngineParts,
  tx: Tx,
  lost: { runnerId: string; activityId: string; reason: string },
): Promise<void> {
  const activity = await lockActivity(tx, lost.activityId)
  if (!activity || isFinal(activityLife, activity.status)) return
  const steps = (await unfinishedSteps(tx, activity.id)).filter(
    step => bodyRuns(step) && step.runner_id === lost.runnerId,
  )
  const restarts = activity.on_runner_lost === 'restart' && activity.stopping === null
  const message = `The runner was lost: ${lost.reason}${restarts ? '; the step runs again' : ''}.`
  for (const { id, attempt } of steps)
    await addToLog(tx, { activityId: activity.id, attempt: { stepId: id, attempt }, message })
  const after = restarts
    ? await carryOut(
        parts,
        tx,
        activity,
        steps.map(step => stepChange(step, 'requeue', 'queued', 'open')),
        [],
      )
    : await endLost(
        parts,
        tx,
        activity,
        steps.map(step => step.id),
        lost.reason,
      )
  if (mayRun(after.activity) && after.activity.n_queued > 0) await wantRunner(parts, tx, after.activity)
}

async function endLost(parts: EngineParts, tx: Tx, activity: Activity, ids: readonly string[], reason: string) {
  if (ids.length === 0) return { activity }
  const outcome = activity.stopping === 'cancelled' ? 'cancelled' : 'failed'
  const report: Report = {
    errorMessage: `The runner was lost: ${reason}`,
    ...(outcome === 'failed' && { failure: 'error:step:processing' as const }),
  }
  return advance(
    parts,
    tx,
    activity,
    await neighbourhoodOf(tx, activity.id, ids),
    ids.map(id => ({ what: 'body', id, outcome })),
    { reports: new Map(ids.map(id => [id, report])) },
  )
}

/**
 * The service cannot carry an activity on: no runner can be started for it, or its transitions fail for good. What runs
 * is system_error, what has not begun is aborted, and the activity is system_error with these words.
 */
export async function breakActivity(parts: EngineParts, tx: Tx, activityId: string, reason: string): Promise<void> {
  const activity = await lockActivity(tx, activityId)
  if (!activity || !['running', 'waiting', 'queued'].includes(activity.status)) return
  const unfinished = await unfinishedSteps(tx, activityId)
  const changes = unfinished.map(step =>
    step.status === 'running'
      ? {
          ...stepChange(step, 'break', 'system_error', step.body === 'open' ? 'failed' : step.body),
          errorMessage: reason,
        }
      : stepChange(step, 'abort', 'aborted', step.body),
  )
  await endBroken(parts, tx, activity, changes, reason)
  tx.hint('cancel')
}
