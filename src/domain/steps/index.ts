import type { Domain } from '#platform/domain.ts'
import { Setbacks } from '#platform/jobs/setbacks.ts'
import { admissionLoop, limitsJob, type SlotLimits } from './admission.jobs.ts'
import type { EngineParts } from './engine.ts'
import { forgetActivities } from './forget-nodes.ts'
import { inputAad, outputsAad } from './step-tree.store.ts'
import { timersLoops } from './timers.jobs.ts'

export { type ActivityState, activityLife, activityMovesOf } from './activity.lifecycle.ts'
export { type Activity, holdAsSeen, lockActivity } from './activity.store.ts'
export { admit } from './admission.jobs.ts'
export { heldOnly } from './admission.store.ts'
export {
  type ApprovalRule,
  approvalBy,
  type Decider,
  refusals,
  rejectionBy,
  type Standing,
  satisfiedAlone,
} from './approvals.ts'
export { openArguments } from './asked-arguments.ts'
export {
  attemptBegan,
  attemptsOf,
  attemptUnderWay,
  claimedSteps,
  newsOf,
  placeOfAttempt,
  placeOfToken,
  stepsAbove,
} from './attempts.store.ts'
export { type CancelAnswer, requestCancel } from './cancel.ts'
export { approveStep, continueStep, type HeldStep, holdStep, rejectStep } from './decisions.ts'
export type { ClaimedStep, Claimer, DueStep, EngineParts, KeptResult, ReportedStep, StepAbove } from './engine.ts'
export { asReported, type Foresight, foresee, type Plan, planOf, reachesBeyond, succession } from './foresight.ts'
export { type CarryingOn, heldUp } from './held-up.ts'
export {
  type Awaited,
  activitiesInProgress,
  awaited,
  oldestInProgress,
  unfinishedActivities,
  type WaitingActivity,
  waitingActivitiesOf,
} from './in-progress.ts'
export { inconsistencies } from './inconsistencies.ts'
export { beginTree, lacksTree, lockForTree, standInLineWithoutTree } from './late-tree.ts'
export { leftOut, leftOutItself, unmasked } from './left-out.ts'
export { breakActivity, resolveLostRunner } from './lost-runner.ts'
export { type ActivitySettings, createActivity, type NewActivity, newActivityId } from './new-activity.store.ts'
export { type PauseAnswer, requestPause, requestResume } from './pause.ts'
export { failPreparation, makeReady } from './preparation.ts'
export { isPurgeable, purgeActivity } from './purge.store.ts'
export { applyResults, claimQueuedSteps, readForResults, type Verdict } from './results.ts'
export type { ApprovalsThatCount, EndedStep } from './retried-tree.ts'
export { endedTree, insertRetry } from './retry.store.ts'
export { setSlotLimits } from './slot.store.ts'
export { reportedStatuses, unfinishedStatuses } from './states.ts'
export { stepLife } from './step.lifecycle.ts'
export {
  activityRow,
  childrenOf,
  isOfStandingNode,
  relationshipsWithSteps,
  stepResource,
  stepRow,
  stepWaits,
} from './step.resource.ts'
export { stepColumns } from './step-columns.ts'
export type { StepDefinition } from './step-definition.ts'
export { insertTree } from './step-tree.store.ts'
export { segmentsOf, treeRows } from './step-tree.ts'
export type { Succeeded } from './succession.store.ts'
export type { ToSucceed } from './succession.ts'
export { Successions } from './successions.ts'
export { fireTimers } from './timers.jobs.ts'
export { holdUnapplied, leaveOutLines } from './unapplied.ts'
export { instant, type WaitingReason, whyActivityWaits, whyStepWaits } from './waiting.store.ts'
export { approvableOf, type DecidedStep, findDecidedStep } from './waiting-step.store.ts'
export {
  beginMaking,
  endMaking,
  findMadeBy,
  holdQueuedStep,
  type Made,
  type MadeBy,
  type MakingStep,
  type News,
  runsWithQueuedSteps,
  settleRunPause,
  takeNews,
  toCancelWithTheirRuns,
  unfinishedOf,
} from './workflow-steps.ts'

/** What runs by itself of the engine: admission, timers, and the limits that follow the settings. */
export function engineDomain(parts: EngineParts, limits: SlotLimits): Domain {
  // Of both loops: a fault that befalls most activities is seen as such.
  const setbacks = new Setbacks()
  return {
    name: 'steps',
    jobs: [limitsJob(limits)],
    loops: [admissionLoop(parts, setbacks), ...timersLoops(parts, setbacks)],
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
