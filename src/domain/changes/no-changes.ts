import { type Failure, failure } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'

/** Why a node cannot have changes; undefined if it can. */
export function noChangesOn(node: Node): Failure | undefined {
  if (node.node_type === 'agent') return failure('not-supported-here', 'Agents have no changes.')
  if (node.node_type === 'project' && node.project_type === 'Standard')
    return failure('not-supported-here', 'A Standard project has no changes of its own; its environments have.')
  return undefined
}
