import type { Domain } from '#platform/domain.ts'
import { agentLogResource } from './agent-log.resource.ts'
import { agentStatusResource } from './agent-status.resource.ts'
import { builtImages } from './built-images.resource.ts'
import { deleteStatusesOfNodes } from './delete-nodes.store.ts'
import { nodeStatus } from './node-status.resource.ts'
import { orchestratorEventsView } from './orchestrator-events.view.ts'

/** Domain of agents beyond their nodes: whether they run, on which image, and their logs. */
export const agentsDomain: Domain = {
  name: 'agents',
  resources: [agentStatusResource, agentLogResource],
  views: [orchestratorEventsView],
  deleteNodeData: deleteStatusesOfNodes,
  extends: { agent: nodeStatus, node_background_task: builtImages },
}
