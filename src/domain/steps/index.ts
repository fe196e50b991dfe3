import type { Domain } from '#platform/domain.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { admissionLoop, limitsJob, type SlotLimits } from './admission/admission.jobs.ts'
import { timersLoops } from './advance/timers.jobs.ts'
import { deleteActivitiesOfNodes } from './delete-nodes.store.ts'
import type { EngineParts } from './engine.port.ts'
import { inputAad, outputsAad } from './store/associated-data.ts'

export { admit } from './admission/admission.jobs.ts'
export { makeReady } from './admission/preparation.tx.ts'
export { setSlotLimits } from './admission/slot.store.ts'
export { type WaitingReason, whyActivityWaits } from './admission/waiting.store.ts'
export { type CancelAnswer, requestCancel } from './advance/cancel.tx.ts'
export { breakActivity } from './advance/lost-runner.tx.ts'
export { type PauseAnswer, requestPause, requestResume } from './advance/pause.tx.ts'
export { type CarryingOn, retryOrGiveUp } from './advance/retry-or-give-up.tx.ts'
export { fireTimers } from './advance/timers.jobs.ts'
export type { AdvanceParts, EngineParts, LateTreeParts, RunnerParts } from './engine.port.ts'
export { inconsistencies } from './inconsistencies.store.ts'
export { activityLife } from './rules/activity.lifecycle.ts'
export { unmasked } from './rules/left-out.ts'
export type { EndedStep } from './rules/retried-tree.ts'
export { stepLife } from './rules/step.lifecycle.ts'
export type { StepDefinition } from './rules/step-definition.ts'
export { activityRow, relationshipsWithSteps, stepRow, stepWaits } from './step.resource.ts'
export { type Activity, lockActivity, lockAsSeen } from './store/activity.store.ts'
export { placeOfToken } from './store/attempts.store.ts'
export { createActivity, type NewActivity } from './store/new-activity.store.ts'
export { isPurgeable } from './store/purge.store.ts'
export { endedTree, insertRetry } from './store/retry.store.ts'
export { insertTree } from './store/step-tree.store.ts'

/** Background work of the engine: admission, timers, and the limits that follow the settings. */
export function engineDomain(parts: EngineParts, limits: SlotLimits): Domain {
  // Shared by both loops, so that a fault of most activities is recognized as such.
  const backoff = new RetryBackoff()
  return {
    name: 'steps',
    jobs: [limitsJob(limits)],
    loops: [admissionLoop(parts, backoff), ...timersLoops(parts, backoff)],
    deleteNodeData: deleteActivitiesOfNodes,
    sealed: [
      {
        table: 'steps',
        key: { id: 'uuid' },
        columns: { input_arguments: ({ id }) => inputAad(id), outputs: ({ id }) => outputsAad(id) },
      },
    ],
  }
}
