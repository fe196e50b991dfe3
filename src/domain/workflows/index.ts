import type { Domain } from '#platform/domain.ts'
import { deleteWorkflowsOfNodes } from './delete-nodes.store.ts'
import { workflowSchemaView } from './schema.view.ts'
import { validateWorkflow } from './validate.view.ts'
import { type WorkflowParts, workflowCommands } from './workflow.commands.ts'
import { workflowResource, workflowVersionResource } from './workflow.resource.ts'
import { sealedWorkflows } from './workflow.store.ts'
import { sourceReader } from './workflow-source.ts'
import { workflowVersionCommands } from './workflow-version.commands.ts'

export { findRunnableVersion, hasWorkflow, markRun, type RunnableVersion } from './workflow.store.ts'

/**
 * Workflows as documents: their sources, parsed and checked, in versions that are drafts until they are published.
 *
 * `others`: domains to the right, whose records block deleting and archiving a workflow.
 */
export const workflowsDomain = (given: Omit<WorkflowParts, 'readSource'>): Domain =>
  domainOf({ ...given, readSource: sourceReader() })

const domainOf = (parts: WorkflowParts): Domain => ({
  name: 'workflows',
  resources: [workflowResource, workflowVersionResource(parts.keyring)],
  commands: [...workflowCommands(parts), ...workflowVersionCommands(parts)],
  views: [validateWorkflow(parts), workflowSchemaView],
  sealed: [sealedWorkflows],
  deleteNodeData: deleteWorkflowsOfNodes,
  extends: {
    project: {
      links: row => ({
        workflows: row['type_of_project'] === 'Enterprise' ? `/api${row['path']}/workflows` : undefined,
      }),
    },
  },
})
