import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { addToLog } from '../../logs/index.ts'
import { lacksTree } from '../admission/deferred-tree.tx.ts'
import { isQueuedWithoutRunner } from '../admission/step-slot.store.ts'
import { giveBackSlots } from '../admission/step-slots.tx.ts'
import type { AdvanceParts, LateTreeParts, RunnerParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { keepAttempts } from '../store/earlier-attempts.store.ts'
import { neighbourhoodOf } from '../store/neighbourhood.store.ts'
import { attemptsOn, stepChange, unfinishedSteps } from '../store/unfinished.store.ts'
import { notifyOfChildren } from '../store/workflow-news.store.ts'
import { advance, carryOut, endBroken, wantRunner } from './advance.tx.ts'
import { canRunSteps, type Report } from './decided-changes.ts'

/**
 * Maximum number of attempts of a step under `restart`. A step that kills its own runner, for example by using all
 * memory, would otherwise run forever: it runs this often, and then fails.
 */
const mostAttempts = 5

/**
 * Resolves the steps of a runner that is known to be dead, with all of its processes, according to the activity's
 * on_runner_lost. The caller has marked the runner as gone in the same transaction, so that the activity can get
 * another.
 */
export async function resolveLostRunner(
  parts: AdvanceParts,
  tx: Tx,
  lost: { runnerId: string; activityId: string; stepId: string | null; reason: string },
): Promise<void> {
  const activity = await lockActivity(tx, lost.activityId)
  if (!activity || isFinal(activityLife, activity.status)) return
  const steps = await attemptsOn(tx, activity.id, lost.runnerId)
  const mayRestart = activity.on_runner_lost === 'restart' && activity.stopping === null
  const { again, over } = Object.groupBy(steps, ({ attempt }) =>
    mayRestart && attempt < mostAttempts ? 'again' : 'over',
  )
  const lastWords = mayRestart ? `${lost.reason}, as in each of its ${mostAttempts} attempts` : lost.reason
  for (const step of steps) {
    const message = again?.includes(step)
      ? `The runner was lost: ${lost.reason}; the step runs again.`
      : `The runner was lost: ${lastWords}.`
    await addToLog(tx, { activityId: activity.id, attempt: { stepId: step.id, attempt: step.attempt }, message })
  }
  if (again) {
    const stepIds = again.map(({ id }) => id)
    await keepAttempts(tx, { activityId: activity.id, stepIds, reason: messageOfLoss(lost.reason) })
  }
  const requeued = (again ?? []).map(step => stepChange(step, 'requeue', 'queued', 'open'))
  const restarted = await carryOut(parts, tx, activity, requeued, [])
  const ids = (over ?? []).map(step => step.id)
  const after = await endLost(parts, tx, restarted.activity, ids, lastWords)
  if (lost.stepId !== null) return giveBackSlotOfQueuedStep(parts, tx, after.activity, lost.stepId)
  if (canRunSteps(after.activity) && after.activity.n_queued > 0) await wantRunner(parts, tx, after.activity)
}

/** Gives back the slot of a queued step without a runner: the lost one may have ended before it took the step. */
async function giveBackSlotOfQueuedStep(parts: RunnerParts, tx: Tx, activity: Activity, stepId: string): Promise<void> {
  if (!activity.per_step || isFinal(activityLife, activity.status)) return
  if (await isQueuedWithoutRunner(tx, stepId)) await giveBackSlots(parts, tx, activity, [stepId])
}

const messageOfLoss = (reason: string) => `The runner was lost: ${reason}`

async function endLost(parts: AdvanceParts, tx: Tx, activity: Activity, ids: readonly string[], reason: string) {
  if (ids.length === 0) return { activity }
  const outcome = activity.stopping === 'cancelled' ? 'cancelled' : 'failed'
  const report: Report = {
    errorMessage: messageOfLoss(reason),
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
 * Breaks an activity that the service cannot advance: no runner can be started for it, or its transitions fail for
 * good. Running steps become system_error, steps that have not begun are aborted, and the activity is system_error with
 * the reason. If a cancel was requested, all is cancelled instead. The children of a run are cancelled when its child
 * news are processed.
 */
export async function breakActivity(parts: LateTreeParts, tx: Tx, activityId: string, reason: string): Promise<void> {
  const activity = await lockActivity(tx, activityId)
  if (!activity || !['pending', 'running', 'waiting', 'queued'].includes(activity.status)) return
  if (activity.kind === 'workflow_run') await notifyOfChildren(tx, activityId)
  if (lacksTree(activity)) await parts.lateTrees.stop(tx, activityId, theService.username)
  const unfinished = await unfinishedSteps(tx, activityId)
  const isCancelled = activity.stopping === 'cancelled'
  const changes = unfinished.map(step => {
    const body = step.body === 'open' ? 'failed' : step.body
    const runs = step.status === 'running'
    const [move, to] = isCancelled
      ? (['cancel', 'cancelled'] as const)
      : runs
        ? (['break', 'system_error'] as const)
        : (['abort', 'aborted'] as const)
    return { ...stepChange(step, move, to, body), ...(runs && { errorMessage: reason }) }
  })
  await endBroken(parts, tx, activity, changes, reason)
  tx.hint('cancel')
}
