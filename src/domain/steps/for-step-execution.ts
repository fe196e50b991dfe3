/* The engine for step execution: claims, attempts, results, the prediction of next steps, lost runners. */

export { resolveLostRunner } from './advance/lost-runner.tx.ts'
export { applyResults, claimQueuedSteps, type ResultParts, readForResults, type Verdict } from './advance/results.tx.ts'
export { handleUnapplied, leaveOutLines } from './advance/unapplicable-result.tx.ts'
export type { ClaimedStep, Claimer, ReportedStep, StepAbove, StoredResult } from './engine.port.ts'
export {
  type Prediction,
  predictNextSteps,
  predictSuccess,
  reachesBeyond,
} from './fast-path/next-step-prediction.tx.ts'
export type { Succeeded } from './fast-path/success-batch.store.ts'
export { SuccessBatches } from './fast-path/success-batch.tx.ts'
export {
  attemptBegan,
  attemptsOf,
  attemptUnderWay,
  claimedSteps,
  newsOf,
  placeOfAttempt,
  stepsAbove,
} from './store/attempts.store.ts'
