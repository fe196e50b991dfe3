/* The engine for workflow runs: steps that start a change or another run, and the outcomes of these. */

export {
  type CreatingStep,
  findStepWithChild,
  type News,
  runsWithQueuedSteps,
  type StepWithChild,
  takeNews,
  toCancelWithTheirRuns,
  unfinishedOf,
} from './advance/workflow-steps.store.ts'
export {
  endCreatingStep,
  lockQueuedStep,
  type Made,
  settleRunPause,
  startCreatingStep,
} from './advance/workflow-steps.tx.ts'
export { treeRows } from './rules/step-rows.ts'
export { childrenOf } from './step.resource.ts'
export { stepColumns } from './store/step-columns.resource.ts'
