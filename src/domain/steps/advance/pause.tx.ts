import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { lacksTree } from '../admission/deferred-tree.tx.ts'
import { giveBackQueued } from '../admission/step-slots.tx.ts'
import type { RunnerParts } from '../engine.port.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { lockActivity } from '../store/activity.store.ts'
import { writePause } from '../store/pause.store.ts'
import { wantRunner } from './advance.tx.ts'
import { canRunSteps } from './decided-changes.ts'

/**
 * done: from now on. already: it was in that state before. cancelling: it is being cancelled, and cannot be paused.
 * final: it has ended.
 */
export type PauseAnswer = 'missing' | 'final' | 'cancelling' | 'already' | 'done'

/**
 * Requests a pause, in which no step begins any more: `pausing` while steps run, `paused` from the end of the last of
 * them. Timers do not fire, nothing is admitted, and decisions on waiting steps are stored but start nothing.
 */
export async function requestPause(
  parts: RunnerParts,
  tx: Tx,
  activityId: string,
  actor: Pick<Actor, 'username'>,
): Promise<PauseAnswer> {
  const activity = await lockActivity(tx, activityId)
  if (!activity) return 'missing'
  if (isFinal(activityLife, activity.status)) return 'final'
  if (activity.stopping) return 'cancelling'
  if (activity.pause_state !== 'none') return 'already'
  const runs = activity.n_running > 0 || lacksTree(activity)
  const paused = await writePause(tx, activity, runs ? 'pausing' : 'paused', actor.username)
  if (activity.per_step) await giveBackQueued(parts, tx, paused)
  return 'done'
}

/** Resumes an activity where it was paused, and notifies the processes that may have work for it. */
export async function requestResume(parts: RunnerParts, tx: Tx, activityId: string): Promise<PauseAnswer> {
  const activity = await lockActivity(tx, activityId)
  if (!activity) return 'missing'
  if (isFinal(activityLife, activity.status)) return 'final'
  if (activity.pause_state === 'none') return 'already'
  // A rejected activity continues until its running steps end, and the children of a run may be paused with it.
  if (activity.stopping === 'cancelled') return 'cancelling'
  const resumed = await writePause(tx, activity, 'none', null)
  if (canRunSteps(resumed) && resumed.n_queued > 0) await wantRunner(parts, tx, resumed)
  for (const channel of ['admission', 'steps', 'timers', 'workflows']) tx.hint(channel)
  return 'done'
}
