import type { Tx } from '#platform/db/database.ts'
import type { RunnerParts, WantedRunner } from '../engine.port.ts'
import type { Activity } from '../store/activity.store.ts'
import type { StepChange } from '../store/step-transition.store.ts'
import { claimSlotForStep, queuedUnderSlots, releaseSlotsOfSteps } from './step-slot.store.ts'

/**
 * Gives the next queued step of a locked activity a slot and a runner of its own, which takes the step once it has
 * started (docs/adr/0068). The caller has locked the pool and seen a free slot. Returns false if no step lacks one.
 */
export async function giveSlotToStep(parts: RunnerParts, tx: Tx, activity: Activity): Promise<boolean> {
  const stepId = await claimSlotForStep(tx, activity)
  if (stepId === undefined) return false
  await parts.runners.want(tx, wantedRunner(activity, stepId))
  return true
}

/** @param stepId the one step that the runner runs; null: all steps of the activity */
export const wantedRunner = (activity: Activity, stepId: string | null): WantedRunner => ({
  activityId: activity.id,
  stepId,
  site: activity.site,
  kind: activity.runner_kind,
  options: activity.runner_options,
})

/**
 * Gives back the slots of steps that neither run nor wait in the queue: first their runners are stopped, then their
 * slots, which are the last lock.
 */
export async function giveBackSlots(
  parts: RunnerParts,
  tx: Tx,
  activity: Activity,
  stepIds: readonly string[],
): Promise<Activity> {
  if (stepIds.length === 0) return activity
  await parts.runners.letGo(tx, activity.id, stepIds)
  const freed = await releaseSlotsOfSteps(tx, activity.id, stepIds)
  if (freed > 0) tx.hint('admission')
  return { ...activity, n_slots: activity.n_slots - freed }
}

/** Gives back the slots of steps that only wait in the queue while nothing may start. */
export const giveBackQueued = async (parts: RunnerParts, tx: Tx, activity: Activity): Promise<Activity> =>
  giveBackSlots(parts, tx, activity, await queuedUnderSlots(tx, activity.id))

/** Steps that held a slot, or may have, and after these changes do not need it any more, or are queued again. */
export const leavingSlots = (changes: readonly StepChange[]): string[] =>
  changes.filter(change => neededSlot(change) && !keepsSlot(change)).map(({ id }) => id)

const neededSlot = ({ from, before }: StepChange) => from === 'queued' || (from === 'running' && before.body === 'open')
const keepsSlot = ({ to, body, claimedBy }: StepChange) =>
  claimedBy !== undefined || (to === 'running' && body === 'open')
