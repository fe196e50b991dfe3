import { nodeDialogs as texts } from '../../messages/projects.ts'
import { isPermitted, type NodeRecord } from './node.ts'

/** Why nothing can be run on a node; undefined if it can. */
export function whyNotRun(node: NodeRecord): string | undefined {
  if (node.attributes.archived) return texts.isArchived
  return isPermitted(node, 'changes', 'execute') ? undefined : texts.needsExecute
}

/** Why no schedule can be created on a node; undefined if one can. */
export function whyNotSchedule(node: NodeRecord): string | undefined {
  if (node.attributes.archived) return texts.isArchived
  const isAllowed = isPermitted(node, 'scheduled_activities', 'update')
  return isAllowed ? undefined : texts.needsUpdateOf('scheduled_activities')
}

/** Why a node cannot be changed; undefined if it can. */
export function whyNotChange(node: NodeRecord): string | undefined {
  if (node.attributes.archived) return texts.isArchived
  return isPermitted(node, 'self', 'update') ? undefined : texts.needsUpdate
}
