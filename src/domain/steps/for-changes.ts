/* The engine for changes: creating their trees, approvals and decisions, statuses, purge. */

export { blockedOnlyByMaintenance } from './admission/admission.store.ts'
export { beginTree, lacksTree, lockForTree, queueWithoutTree } from './admission/deferred-tree.tx.ts'
export { failPreparation } from './admission/preparation.tx.ts'
export { whyStepWaits } from './admission/waiting.store.ts'
export { approveStep, continueStep, type LockedStep, lockStep, rejectStep } from './advance/decisions.tx.ts'
export type { DueStep } from './engine.port.ts'
export { expectedSeconds } from './expected-seconds.sql.ts'
export { openArguments } from './requested-arguments.ts'
export { type ActivityState, activityMovesOf } from './rules/activity.lifecycle.ts'
export {
  type ApprovalRule,
  approvalBy,
  type Decider,
  type DecisionVerdict,
  refusals,
  rejectionBy,
  satisfiedAlone,
} from './rules/approvals.ts'
export { leftOut, leftOutItself } from './rules/left-out.ts'
export type { ApprovalsThatCount } from './rules/retried-tree.ts'
export { reportedStatuses } from './rules/states.ts'
export { segmentsOf } from './rules/step-rows.ts'
export { stepResource, stepWaits } from './step.resource.ts'
export { stepAttemptResource } from './step-attempt.resource.ts'
export { type ActivitySettings, newActivityId } from './store/new-activity.store.ts'
export { purgeActivity } from './store/purge.store.ts'
export { approvableOf, type DecidedStep, findDecidedStep } from './store/waiting-step.store.ts'
