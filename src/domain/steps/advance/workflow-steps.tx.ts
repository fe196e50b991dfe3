import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import type { AdvanceParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import type { BodyOutcome } from '../rules/next-moves.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { neighbourhoodOf } from '../store/neighbourhood.store.ts'
import { writePause } from '../store/pause.store.ts'
import { advance, carryOut } from './advance.tx.ts'
import { canRunSteps, type Report } from './decided-changes.ts'
import {
  type CreatingStep,
  firstQueuedCreatingStep,
  isAnyMoving,
  noteRejected,
  pausedBy,
} from './workflow-steps.store.ts'

/** The first step of a run that may start, with the run locked; undefined if there is none, or none may start. */
export async function lockQueuedStep(
  tx: Tx,
  runId: string,
): Promise<{ readonly run: Activity; readonly step: CreatingStep } | undefined> {
  const run = await lockActivity(tx, runId)
  if (!run || !canRunSteps(run) || run.n_queued === 0) return undefined
  const step = await firstQueuedCreatingStep(tx, runId)
  return step && { run, step }
}

/** Starts a step that creates a change or run; the caller creates it in the same transaction. */
export async function startCreatingStep(
  parts: AdvanceParts,
  tx: Tx,
  run: Activity,
  step: CreatingStep,
): Promise<Activity> {
  const change = { id: step.id, from: 'queued', path: ['enter'], to: 'running', body: step.body, before: step } as const
  const { activity } = await carryOut(parts, tx, run, [change], [])
  return activity
}

export interface Made {
  readonly outcome: BodyOutcome
  readonly errorMessage?: string | null
  /** Failure to create it, or to learn how it ended. */
  readonly failure?: Report['failure']
}

/** Ends a step of a locked run with the outcome of its child, and advances the run. */
export async function endCreatingStep(
  parts: AdvanceParts,
  tx: Tx,
  run: Activity,
  stepId: string,
  { outcome, errorMessage = null, failure }: Made,
): Promise<Activity> {
  if (outcome === 'rejected') await noteRejected(tx, stepId)
  const { activity } = await advance(
    parts,
    tx,
    run,
    await neighbourhoodOf(tx, run.id, [stepId]),
    [{ what: 'body', id: stepId, outcome }],
    { reports: new Map([[stepId, { errorMessage, ...(failure && { failure }) }]]) },
  )
  return activity
}

/** Pauses a run whose pause was requested once all of its children are paused. The caller has locked it. */
export async function settleRunPause(tx: Tx, run: Activity): Promise<void> {
  if (run.pause_state !== 'pausing' || isFinal(activityLife, run.status)) return
  if (await isAnyMoving(tx, run.id)) return
  await writePause(tx, run, 'paused', await pausedBy(tx, run.id))
}
