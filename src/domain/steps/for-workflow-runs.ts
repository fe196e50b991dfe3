/* The engine for workflow runs: steps that start a change or another run, and the outcomes of these. */

export {
  findMadeBy,
  type MadeBy,
  type MakingStep,
  type News,
  runsWithQueuedSteps,
  takeNews,
  toCancelWithTheirRuns,
  unfinishedOf,
} from './advance/workflow-steps.store.ts'
export { beginMaking, endMaking, lockQueuedStep, type Made, settleRunPause } from './advance/workflow-steps.tx.ts'
export { treeRows } from './rules/step-rows.ts'
export { childrenOf } from './step.resource.ts'
export { stepColumns } from './store/step-columns.resource.ts'
