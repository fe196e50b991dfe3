export { namesApproversByProperties, withNamesBelow } from './approver-names.ts'
export { continuedByThemselves, withAutoContinue } from './auto-continue.tx.ts'
export {
  actionOf,
  findChange,
  isNeededByNoRetry,
  overridesOf,
  type StoredChange,
  writeOverrides,
} from './change.store.ts'
export { actionPath } from './change.ts'
export {
  type ChangeContext,
  type ChangeContexts,
  type ChangeNow,
  changeContexts,
  convergedOfChange,
  resolvedSettings,
} from './change-context.tx.ts'
export { aboutStoredChange } from './change-target.tx.ts'
export { modelActionsOfChange, modelOfChange } from './model-of-change.tx.ts'
export { originOf, placeOf } from './origin.tx.ts'
export type { ChangeParts } from './parts.port.ts'
export { maskBelow } from './skip-mask.ts'
export { recordUnresolvedApproversEvent } from './unresolved-approvers.tx.ts'

import type { Domain } from '#platform/domain.ts'
import type { Row } from '#platform/jsonapi/resource.ts'
import { secretToMaskAad, textsToMaskAad } from '../runners/index.ts'
import { stepAttemptResource, stepResource } from '../steps/for-changes.ts'
import type { EngineParts } from '../steps/index.ts'
import { activitiesLive } from './activities.live.ts'
import { changesOfTemplates, changesOfVersions, unfinishedFromRemotes, unfinishedOn } from './archive-blockers.sql.ts'
import { changeCommands } from './change.commands.ts'
import { changeLive } from './change.live.ts'
import { changeResource } from './change.resource.ts'
import { documentAad, sealedDocuments } from './change.ts'
import { convergedViews } from './converged.views.ts'
import { cancelJob, cancelOnDestroy } from './destroyed.jobs.ts'
import type { ChangeParts } from './parts.port.ts'
import { pauseCommands } from './pause.commands.ts'
import { prepareJobs } from './prepare.jobs.ts'
import { propertyChangesView } from './property-changes.view.ts'
import { deletePurgedDataJob } from './purge-ended.tx.ts'
import { stepDecisions } from './step-can.resource.ts'
import { treeOfChange } from './step-tree.views.ts'
import { waitingReasonViews } from './waiting-reason.views.ts'
import { waitingStepCommands } from './waiting-step.commands.ts'

export { workflowRunLive } from './change.live.ts'
export {
  activityColumns,
  activityExtras,
  activityFilters,
  isChangeRetried,
  metadataColumns,
  movesForChange,
  movesOfActivity,
  overridesColumn,
} from './change.resource.ts'
export { countedFor } from './given-approvals.tx.ts'
export { globMatcher, mostWork } from './glob.ts'
export { changeMaker, type MakeChange } from './make-change.tx.ts'
export {
  type MakeRetry,
  type PlanMadeRetry,
  type PlannedRetry,
  retryMaker,
  retryPlanner,
} from './make-retry.tx.ts'
export { notifySchema } from './notify.ts'
export { type OfferFault, offeredActions, type RequestedAction } from './offered-actions.tx.ts'
export { onlyPlanned, undone } from './only-planned.tx.ts'
export { outlookOf } from './outlook.store.ts'
export { passedByRetryOf } from './passed-by-retry.store.ts'
export { outlookAttributes, retryAttributes } from './plan-document.ts'
export { makeLateTree } from './prepare.jobs.ts'
export { removeOldChange } from './purge-change.tx.ts'
export { isPurge, purgeEnded } from './purge-ended.tx.ts'
export { runSettings } from './run-settings.ts'
export { decisionsFor, stepDecisions, stepsThatWait } from './step-can.resource.ts'
export { stepTree } from './step-tree.views.ts'
export { waitingReasonOfRun } from './waiting-reason.views.ts'
export { decisionCommands } from './waiting-step.commands.ts'

const onNode = { inUse: unfinishedOn, onDestroy: cancelOnDestroy }
const changesLink = (row: Row) => ({ changes: `/api${row['path']}/changes` })

/** Changes: runs of an action on a node, and their steps. */
export const changesDomain = (parts: ChangeParts, engine: EngineParts): Domain => ({
  name: 'changes',
  resources: [changeResource(parts.keyring), stepResource(parts.keyring), stepAttemptResource],
  views: [...convergedViews(parts), propertyChangesView(parts), treeOfChange, ...waitingReasonViews(engine)],
  live: [changeLive, activitiesLive],
  commands: [...changeCommands(parts, engine), ...pauseCommands(engine), ...waitingStepCommands(parts, engine)],
  jobs: [...prepareJobs(parts, engine), cancelJob(engine), deletePurgedDataJob],
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
