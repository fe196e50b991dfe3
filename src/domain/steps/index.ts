export {
  beginMaking,
  endMaking,
  findMadeBy,
  lockQueuedStep,
  type Made,
  type MadeBy,
  type MakingStep,
  type News,
  runsWithQueuedSteps,
  settleRunPause,
  takeNews,
  toCancelWithTheirRuns,
  treeRows,
  unfinishedOf,
} from './for-workflow-runs.ts'

import type { Domain } from '#platform/domain.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { admissionLoop, limitsJob, type SlotLimits } from './admission/admission.jobs.ts'
import { timersLoops } from './advance/timers.jobs.ts'
import type { EngineParts } from './engine.port.ts'
import { forgetActivities } from './forget-nodes.store.ts'
import { inputAad, outputsAad } from './store/associated-data.ts'

export { admit } from './admission/admission.jobs.ts'
export { heldOnly } from './admission/admission.store.ts'
export { beginTree, lacksTree, lockForTree, standInLineWithoutTree } from './admission/deferred-tree.tx.ts'
export {
  type Awaited,
  activitiesInProgress,
  awaited,
  oldestInProgress,
  unfinishedActivities,
  type WaitingActivity,
  waitingActivitiesOf,
} from './admission/in-progress.sql.ts'
export { failPreparation, makeReady } from './admission/preparation.tx.ts'
export { setSlotLimits } from './admission/slot.store.ts'
export { instant, type WaitingReason, whyActivityWaits, whyStepWaits } from './admission/waiting.store.ts'
export { type CancelAnswer, requestCancel } from './advance/cancel.tx.ts'
export { approveStep, continueStep, type HeldStep, lockStep, rejectStep } from './advance/decisions.tx.ts'
export { breakActivity } from './advance/lost-runner.tx.ts'
export { type PauseAnswer, requestPause, requestResume } from './advance/pause.tx.ts'
export { type CarryingOn, retryOrGiveUp } from './advance/retry-or-give-up.tx.ts'
export { fireTimers } from './advance/timers.jobs.ts'
export { openArguments } from './asked-arguments.ts'
export type { DueStep, EngineParts } from './engine.port.ts'
export { inconsistencies } from './inconsistencies.store.ts'
export { type ActivityState, activityLife, activityMovesOf } from './rules/activity.lifecycle.ts'
export {
  type ApprovalRule,
  approvalBy,
  type Decider,
  refusals,
  rejectionBy,
  type Standing,
  satisfiedAlone,
} from './rules/approvals.ts'
export { leftOut, leftOutItself, unmasked } from './rules/left-out.ts'
export type { ApprovalsThatCount, EndedStep } from './rules/retried-tree.ts'
export { reportedStatuses, unfinishedStatuses } from './rules/states.ts'
export { stepLife } from './rules/step.lifecycle.ts'
export type { StepDefinition } from './rules/step-definition.ts'
export { segmentsOf } from './rules/step-rows.ts'
export { activityRow, relationshipsWithSteps, stepResource, stepRow, stepWaits } from './step.resource.ts'
export { type Activity, lockActivity, lockAsSeen } from './store/activity.store.ts'
export { placeOfToken } from './store/attempts.store.ts'
export { type ActivitySettings, createActivity, type NewActivity, newActivityId } from './store/new-activity.store.ts'
export { isPurgeable, purgeActivity } from './store/purge.store.ts'
export { endedTree, insertRetry } from './store/retry.store.ts'
export { insertTree } from './store/step-tree.store.ts'
export { approvableOf, type DecidedStep, findDecidedStep } from './store/waiting-step.store.ts'

/** Background work of the engine: admission, timers, and the limits that follow the settings. */
export function engineDomain(parts: EngineParts, limits: SlotLimits): Domain {
  // Shared by both loops: a fault that affects most activities is recognized as such.
  const backoff = new RetryBackoff()
  return {
    name: 'steps',
    jobs: [limitsJob(limits)],
    loops: [admissionLoop(parts, backoff), ...timersLoops(parts, backoff)],
    forgetNodes: forgetActivities,
    sealed: [
      {
        table: 'steps',
        key: { id: 'uuid' },
        columns: { input_arguments: ({ id }) => inputAad(id), outputs: ({ id }) => outputsAad(id) },
      },
    ],
  }
}
