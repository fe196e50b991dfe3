import type { Context, Done, Target } from '#platform/commands/command.ts'
import { eventNode, findNodeById, type Node } from '../nodes/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { actionPath } from './change.ts'

/** Change whose node exists, as the target of a command. */
export type ChangeTarget = Target & { readonly change: StoredChange; readonly node: Node }

/** Common part of every command about an existing change: how to find it, and the right to run its action. */
export const changeTarget = {
  find: async ({ tx }: Context, { params }: { readonly params: Readonly<Record<string, string>> }) => {
    const change = await findChange(tx, params['id']!)
    const node = change && (await findNodeById(tx, change.node_id))
    return node && { change, node, readPath: change.path, rowVersion: change.row_version }
  },
  needs: ({ change }: ChangeTarget) => [{ right: 'execute' as const, path: actionPath(change.path, change.action) }],
}

/** Event attributes of a command's change. */
export const aboutChange = (id: string, node: Node, action: string): Done['event'] => ({
  source: { type: 'change', id },
  node: eventNode(node),
  activityId: id,
  attributes: { name: action },
})

/** Event attributes of a change for events of the service itself, whether its node still exists or not. */
export const aboutStoredChange = ({ id, node_id, path, project_id, action }: StoredChange) => ({
  source: { type: 'change', id },
  node: { id: node_id, path, projectId: project_id },
  activityId: id,
  attributes: { name: action },
})
