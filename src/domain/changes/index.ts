import type { Domain } from '#platform/domain.ts'
import type { Row } from '#platform/jsonapi/resource.ts'
import { secretToMaskAad, textsToMaskAad } from '../runners/index.ts'
import { type EngineParts, stepResource } from '../steps/index.ts'
import { activitiesLive } from './activities.live.ts'
import { artefactContent, artefactResource } from './artefact.resource.ts'
import { changeCommands } from './change.commands.ts'
import { changeLive } from './change.live.ts'
import { changeResource } from './change.resource.ts'
import { documentAad, sealedDocuments } from './change.ts'
import { convergedViews } from './converged.views.ts'
import { cancelJob, cancelOnDestroy, unfinishedOn } from './destroyed.jobs.ts'
import { logLineResource } from './log-line.resource.ts'
import type { ChangeParts } from './parts.ts'
import { pauseCommands } from './pause.commands.ts'
import { prepareJobs } from './prepare.jobs.ts'
import { forgetPurgedJob } from './purge-ended.ts'
import { stepBodies, stepCatalogue, stepGitClone } from './step-asks.views.ts'
import { stepDecisions } from './step-can.ts'
import { stepEmail } from './step-email.commands.ts'
import { stepSecretCommands } from './step-secrets.commands.ts'
import { changesOfTemplates, changesOfVersions, unfinishedFromRemotes } from './uses.ts'
import { waitingReasonViews } from './waiting-reason.views.ts'
import { waitingStepCommands } from './waiting-step.commands.ts'

export { continuedByThemselves } from './auto-continue.ts'
export { workflowRunLive } from './change.live.ts'
export {
  activityColumns,
  activityFilters,
  activityStanding,
  isChangeRetried,
  metadataColumns,
  movesForChange,
  movesOfActivity,
  overridesColumn,
} from './change.resource.ts'
export { actionOf } from './change.store.ts'
export { actionPath } from './change.ts'
export { countedFor } from './given-approvals.ts'
export { globMatcher, mostWork } from './glob.ts'
export { keepResultWith } from './keep-result.ts'
export { makeChange } from './make-change.ts'
export { makeRetry } from './make-retry.ts'
export { maskFirst } from './mask-first.ts'
export { maskTexts } from './mask-texts.ts'
export { notifySchema } from './notify.ts'
export { type AskedAction, type OfferFault, offeredActions } from './offered-actions.ts'
export { originOf } from './origin.ts'
export type { ChangeParts } from './parts.ts'
export { passedByRetryOf } from './passed-by-retry.ts'
export { makeLateTree } from './prepare.jobs.ts'
export { isNeededByNoRetry, removeOldChange } from './purge-change.ts'
export { isPurge, purgeEnded } from './purge-ended.ts'
export { runSettings } from './run-settings.ts'
export { runnerWork } from './runner-work.ts'
export { decisionsFor, stepDecisions, stepsThatWait } from './step-can.ts'
export { waitingReasonOfRun } from './waiting-reason.views.ts'
export { decisionCommands } from './waiting-step.commands.ts'

const onNode = { inUse: unfinishedOn, onDestroy: cancelOnDestroy }
const changesLink = (row: Row) => ({ changes: `/api${row['path']}/changes` })

/** Changes: runs of an action on a node, their steps and what these write. */
export const changesDomain = (parts: ChangeParts, engine: EngineParts): Domain => ({
  name: 'changes',
  resources: [changeResource(parts.keyring), stepResource(parts.keyring), logLineResource, artefactResource],
  views: [
    artefactContent,
    stepBodies(parts),
    stepCatalogue(parts),
    stepGitClone(parts),
    ...convergedViews(parts),
    ...waitingReasonViews(engine),
  ],
  live: [changeLive, activitiesLive],
  commands: [
    ...changeCommands(parts, engine),
    ...pauseCommands(engine),
    ...waitingStepCommands(parts, engine),
    ...stepSecretCommands(parts),
    stepEmail(parts),
  ],
  jobs: [...prepareJobs(parts, engine), cancelJob(engine), forgetPurgedJob],
  sealed: [
    {
      table: 'changes',
      key: { id: 'uuid' },
      columns: Object.fromEntries(sealedDocuments.map(name => [name, row => documentAad(row['id'], name)])),
    },
    { table: 'secrets_to_mask', key: { id: 'uuid' }, columns: { value: ({ id }) => secretToMaskAad(id) } },
    {
      table: 'texts_to_mask',
      key: { id: 'uuid' },
      columns: { texts: ({ id }) => textsToMaskAad(id, 'texts'), masked: ({ id }) => textsToMaskAad(id, 'masked') },
    },
  ],
  extends: {
    project: { links: row => (row['project_type'] === 'Standard' ? {} : changesLink(row)), ...onNode },
    environment: { links: changesLink, ...onNode },
    asset: { links: changesLink, ...onNode },
    template: { inUse: changesOfTemplates },
    template_version: { inUse: changesOfVersions },
    git_remote: { inUse: unfinishedFromRemotes },
    step: stepDecisions,
  },
})
