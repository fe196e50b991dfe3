import type { Domain } from '#platform/domain.ts'
import type { TaskType } from '../node-tasks/index.ts'
import { actionsView } from './actions.view.ts'
import { assignVersion } from './assign-version.commands.ts'
import { cancelRefresh } from './cancel-refresh.commands.ts'
import { deleteTemplatesOfNodes } from './delete-nodes.store.ts'
import { type FetchParts, fetchVersion, resumeFetches, versionDerived } from './fetch-version.jobs.ts'
import { followRevisions } from './follow-revisions.jobs.ts'
import { type ModelActions, nodeTemplate } from './node-template.resource.ts'
import { refreshNodes } from './refresh-nodes.jobs.ts'
import { templateCommands } from './template.commands.ts'
import { templateResource, templateVersionResource } from './template.resource.ts'
import { templateVersionCommands } from './template-version.commands.ts'
import { templatesOfRemote } from './templates-of-remote.resource.ts'
import { versionChangesView } from './version-changes.view.ts'
import { versionHistoryResource } from './version-history.resource.ts'
import { versionsOfOwner } from './versions-of-owner.resource.ts'

export { deriveFor } from './derivation.store.ts'
export { deriveActions } from './derivation.task.ts'
export type { Derivation } from './derivation.ts'
export {
  type CommitInForce,
  commitInForce,
  commitsInForce,
  followedBy,
  readCommitInForce,
  templateOfVersion,
} from './node-commit.store.ts'
export { refreshAfterModel } from './refresh-nodes.jobs.ts'

/**
 * Templates, their versions, and which version a node has.
 *
 * `others`: data of other domains about templates and versions: documents, references. `taskTypes`: every type of
 * background task. `modelActions`: the actions that an asset's model adds to its own.
 */
export const templatesDomain = (
  parts: FetchParts & {
    readonly others: readonly Domain[]
    readonly taskTypes: readonly TaskType[]
    readonly modelActions: ModelActions
  },
): Domain => ({
  name: 'templates',
  resources: [templateResource, templateVersionResource, versionHistoryResource],
  commands: [
    ...templateCommands(parts.others),
    ...templateVersionCommands(parts.git, parts.others),
    assignVersion,
    cancelRefresh(parts.taskTypes),
  ],
  views: [actionsView(parts.modelActions), versionChangesView(parts.git)],
  jobs: [fetchVersion(parts), versionDerived(parts), followRevisions(parts), refreshNodes],
  loops: [resumeFetches],
  deleteNodeData: deleteTemplatesOfNodes,
  extends: {
    project: {
      links: row => ({
        templates: row['type_of_project'] === 'Enterprise' ? `/api${row['path']}/templates` : undefined,
      }),
    },
    asset: nodeTemplate(parts.modelActions),
    agent: nodeTemplate(),
    properties_version: versionsOfOwner,
    git_remote: templatesOfRemote,
  },
})
