export { combinedWork } from './combined-work.ts'
export { areGone, deletePurgedData, deleteWork, detachRunners } from './delete-work.store.ts'
export { announceService, openProcessDriver } from './drivers/process/process.adapter.ts'
export { processName, thisHost } from './drivers/process/process-name.adapter.ts'
export { type StepIsolation, stepIsolation } from './drivers/process/step-isolation.adapter.ts'
export { attachRunnerEndpoint, type RunnerEndpoint } from './endpoint.adapter.ts'
export { renewLeaseWhileStarting } from './lease-while-starting.tx.ts'
export { liveSessions, runnersAt, runnersOn } from './runner.store.ts'
export {
  driverKinds,
  type LiveRunner,
  type ProcessName,
  runnerOptions,
  spareKind,
  type WantedRunner,
} from './runner.ts'
export type { RunnerDrivers } from './runner-driver.port.ts'
export { runnerRoutes } from './runner-routes.adapter.ts'
export { RunnerStarts } from './runner-starts.jobs.ts'
export { begunStatuses, comingOrLive } from './runner-status.sql.ts'
export type { News, RunnerWork, StepMessage, Verdict } from './runner-work.port.ts'
export { deleteSparesJob, runnerLoops } from './runners.jobs.ts'
export { askToMask, deleteSecretsToMask, isMasked, secretToMaskAad } from './secrets-to-mask.store.ts'
export { claimingSlot } from './slot-claim.sql.ts'
export { Spares } from './spares.jobs.ts'
export { askToMaskTexts, deleteTextsToMask, maskedTexts, textsToMaskAad } from './texts-to-mask.store.ts'
export { letRunnerGo, letTaskRunnerGo, wantAnotherRunner, wantRunner, wantTaskRunner } from './wanted-runner.store.ts'
