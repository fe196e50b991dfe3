import type { NodeType } from '../nodes/index.ts'

const names: Readonly<Record<NodeType, string>> = {
  project: 'Project',
  environment: 'Environment',
  asset: 'Asset',
  agent: 'Agent',
}

/** Name of a node as the origin of a value: `Environment: Live (live)`. */
export const sourceOf = (node: { node_type: NodeType; name: string; code: string }): string =>
  `${names[node.node_type]}: ${node.name} (${node.code})`
