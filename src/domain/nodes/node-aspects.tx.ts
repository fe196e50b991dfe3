import type { Context, Request, Target } from '#platform/commands/command.ts'
import type { CreatedRecord } from '#platform/domain.ts'
import { findNode, findNodeById } from './node.store.ts'
import { eventNode, type Node, type NodeType } from './node.ts'

/** Common parts of the commands of nodes: how a node is found, named, recorded and passed to other domains. */

export type FoundNode = Node & Target

/** The node that one of these paths names. */
export const findOne =
  (type: NodeType) =>
  async ({ tx }: Context, { params }: Request<unknown>): Promise<FoundNode | undefined> => {
    const { id } = params
    const found = id === undefined ? await findNode(tx, params) : await findNodeById(tx, id)
    const node = found?.node_type === type ? found : undefined
    return node && { ...node, readPath: node.path, rowVersion: node.row_version }
  }

/** The subject of its events. */
export const subject = (type: NodeType): 'projects' | 'nodes' => (type === 'project' ? 'projects' : 'nodes')
export const article = (type: NodeType): string => (type === 'project' ? `a ${type}` : `an ${type}`)

export const asRecord = (node: Node): CreatedRecord => ({
  id: node.id,
  type: node.node_type,
  projectId: node.project_id,
  path: node.path,
  code: node.code,
  createdAt: node.created_at,
})

export const aboutNode = (node: Node, more: Record<string, unknown> = {}) => ({
  source: { type: node.node_type, id: node.id },
  node: eventNode(node),
  attributes: { name: node.name, ...more },
})
