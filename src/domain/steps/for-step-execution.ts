/* What step execution needs of the engine: claims, attempts, results, the prediction of next steps, lost runners. */

export { resolveLostRunner } from './advance/lost-runner.ts'
export { applyResults, claimQueuedSteps, readForResults, type Verdict } from './advance/results.ts'
export { holdUnapplied, leaveOutLines } from './advance/unapplicable-result.ts'
export type { ClaimedStep, Claimer, KeptResult, ReportedStep, StepAbove } from './engine.ts'
export {
  asReported,
  type Foresight,
  foresee,
  type Plan,
  planOf,
  reachesBeyond,
  succession,
} from './fast-path/next-step-prediction.ts'
export type { ToSucceed } from './fast-path/success.ts'
export type { Succeeded } from './fast-path/success-batch.store.ts'
export { Successions } from './fast-path/success-batch.ts'
export {
  attemptBegan,
  attemptsOf,
  attemptUnderWay,
  claimedSteps,
  newsOf,
  placeOfAttempt,
  stepsAbove,
} from './store/attempts.store.ts'
