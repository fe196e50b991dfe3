import type { Domain } from '#platform/domain.ts'
import { bookmarkCommands } from './bookmark.commands.ts'
import { bookmarkResource } from './bookmark.resource.ts'
import { deleteDestroyedNodes } from './destroyed.jobs.ts'
import { namedByIds } from './named-by-ids.tx.ts'
import { nodeCommands } from './node.commands.ts'
import { nodeResource } from './node.resource.ts'
import { nodeTypes } from './node.ts'

export { type Blocker, blockerLimit, blockersShownTo } from './archive-blockers.ts'
export { historyOfNode, versionsColumn } from './document-history.resource.ts'
export {
  findNode,
  findNodeAt,
  findNodeById,
  findNodes,
  holderOf,
  isOfExistingNode,
  isProjectOf,
  lineIds,
  lineOf,
  lineOfAll,
  lockLine,
  lockNodesAt,
  lockUnarchived,
  nodeByPath,
  nodesAt,
  updateNode,
} from './node.store.ts'
export {
  capabilitiesOf,
  codeFaults,
  codeSchema,
  eventNode,
  type Node,
  type NodeType,
  nameSchema,
  nodePathOf,
  nodePaths,
  nodeTypes,
  pathsOfType,
  projectPathOf,
  refuseArchived,
} from './node.ts'
export { aboutNode, asRecord } from './node-aspects.tx.ts'

/**
 * Projects, environments, assets and agents. Extensions of creating, updating, archiving and destroying them by other
 * domains come from `others`, so that nodes do not depend on them.
 */
export const nodesDomain = ({ others }: { others: readonly Domain[] }): Domain => ({
  name: 'nodes',
  namedByIds,
  resources: [...nodeTypes.map(nodeResource), bookmarkResource],
  commands: [...nodeTypes.flatMap(type => nodeCommands(type, others)), ...bookmarkCommands],
  jobs: [deleteDestroyedNodes(others)],
})
