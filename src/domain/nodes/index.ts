import type { Domain } from '#platform/domain.ts'
import { bookmarkCommands } from './bookmark.commands.ts'
import { bookmarkResource } from './bookmark.resource.ts'
import { nodeCommands } from './node.commands.ts'
import { nodeResource } from './node.resource.ts'
import { nodeTypes } from './node.ts'

export { findNode, findNodeAt, findNodeById, holdUnarchived, lineOf, nodeByPath } from './node.store.ts'
export {
  type Capabilities,
  capabilitiesOf,
  codeFaults,
  codeSchema,
  eventNode,
  type Node,
  type NodeType,
  nodePathOf,
  nodePaths,
  nodeTypes,
  type ProjectType,
  pathsOfType,
} from './node.ts'

/**
 * Projects, environments, assets and agents. What creating, updating, archiving and destroying them means to other
 * domains is taken from `others`, so that nodes hold no name of theirs.
 */
export const nodesDomain = ({ others }: { others: readonly Domain[] }): Domain => ({
  name: 'nodes',
  resources: [...nodeTypes.map(nodeResource), bookmarkResource],
  commands: [...nodeTypes.flatMap(type => nodeCommands(type, others)), ...bookmarkCommands],
  events: {
    'api:projects:create': { why: 'a project was made' },
    'api:projects:update': { why: 'a project was changed, archived or restored' },
    'api:projects:destroy': { why: 'a project was archived (archived) or destroyed by force (forced)' },
    'api:nodes:create': { why: 'an environment, asset or agent was made' },
    'api:nodes:update': { why: 'an environment, asset or agent was changed, archived or restored' },
    'api:nodes:destroy': { why: 'a node was archived (archived) or destroyed by force (forced)' },
    'api:bookmarks:create': { why: 'a bookmark was kept at a node' },
    'api:bookmarks:update': { why: 'a bookmark was changed' },
    'api:bookmarks:destroy': { why: 'a bookmark was deleted' },
  },
})
