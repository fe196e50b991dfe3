import type { Actor } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { AdvanceParts } from '../engine.port.ts'
import { lacking } from '../rules/approvals.ts'
import { stepsToEnd } from '../rules/steps-to-end.ts'
import { type Activity, lockActivity } from '../store/activity.store.ts'
import { neighbourhoodOf } from '../store/neighbourhood.store.ts'
import { stepChange, unfinishedSteps } from '../store/unfinished.store.ts'
import {
  type DecidedStep,
  type Decision,
  findDecidedStep,
  noteContinued,
  noteDecision,
} from '../store/waiting-step.store.ts'
import { advance, carryOut } from './advance.tx.ts'
import { decisionEvent } from './step-events.ts'

/** A waiting step, under the lock of its activity: no other request decides on it meanwhile. */
export interface LockedStep {
  readonly activity: Activity
  readonly step: DecidedStep
}

type By = Pick<Actor, 'userId' | 'username'>

/** Locks the activity of a step, and then reads the step. */
export async function lockStep(tx: Tx, step: Pick<DecidedStep, 'id' | 'activity_id'>): Promise<LockedStep | undefined> {
  const activity = await lockActivity(tx, step.activity_id)
  const now = activity && (await findDecidedStep(tx, step.id))
  return now && { activity, step: now }
}

/**
 * Records an approval; with the last one that its rules require, the step continues. The caller has locked the step and
 * decided that the approval counts (`approvalBy`).
 */
export async function approveStep(
  parts: AdvanceParts,
  tx: Tx,
  { activity, step }: LockedStep,
  by: By,
  approval: Omit<Decision, 'username'> & { readonly rules: readonly number[] },
): Promise<{ goesOn: boolean }> {
  await noteDecision(tx, step, 'approved_by', { ...approval, username: by.username })
  await parts.record(tx, [decisionEvent(activity, step, 'approve', by)])
  const { requires_approval_from: rules, approved_by } = step
  const approvals = [...approved_by, { username: by.username, rules: approval.rules }]
  const goesOn = lacking({ rules, approvals }).every(count => count === 0)
  if (goesOn) await goOn(parts, tx, activity, [step.id])
  return { goesOn }
}

/** Continues a step that waits for no approval. */
export async function continueStep(parts: AdvanceParts, tx: Tx, { activity, step }: LockedStep, by: By): Promise<void> {
  await noteContinued(tx, step.id, by.username)
  await parts.record(tx, [decisionEvent(activity, step, 'continue', by)])
  await goOn(parts, tx, activity, [step.id])
}

/**
 * Ends an activity by a rejection: running steps run to their end, no new ones begin, and all others are aborted, the
 * steps above as soon as nothing below them runs.
 */
export async function rejectStep(
  parts: AdvanceParts,
  tx: Tx,
  { activity, step }: LockedStep,
  by: By,
  rejection: Omit<Decision, 'username' | 'rules'>,
): Promise<void> {
  await noteDecision(tx, step, 'rejected_by', { ...rejection, username: by.username })
  await parts.record(tx, [decisionEvent(activity, step, 'reject', by)])
  const rejected: Activity = { ...activity, stopping: 'rejected' }
  const changes = stepsToEnd(await unfinishedSteps(tx, activity.id)).map(each =>
    stepChange(each, 'abort', 'aborted', each.body),
  )
  await carryOut(parts, tx, rejected, changes, [])
}

/** Continues waiting steps of a locked activity: their children begin, or the steps after them. */
export async function goOn(parts: AdvanceParts, tx: Tx, activity: Activity, ids: readonly string[]): Promise<void> {
  const known = await neighbourhoodOf(tx, activity.id, ids)
  await advance(
    parts,
    tx,
    activity,
    known,
    ids.map(id => ({ what: 'continued', id })),
  )
}
