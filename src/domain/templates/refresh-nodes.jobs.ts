import { theService } from '#platform/actor.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { recordAll } from '../events/index.ts'
import { derivationPool, makeTask } from '../node-tasks/index.ts'
import { type NodeToRefresh, nodesToRefresh } from './refresh-nodes.store.ts'

/** Reason for deriving the actions of a node without a request for it. */
export type RefreshTrigger = 'create' | 'restore' | 'template_version_change' | 'float' | 'model'

interface By {
  readonly username: string
  readonly userId: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scopeProjectId?: string | null
}

/** Refreshes a node after a new version of its template was assigned: its actions are derived, if they are its own. */
export async function refreshNode(tx: Tx, nodeId: string, trigger: RefreshTrigger, by: By): Promise<void> {
  await makeRefreshes(tx, await nodesToRefresh(tx, { nodeId }, 1), trigger, by)
}

/** Refreshes an archived node that is about to be restored: its version may have moved meanwhile. */
export async function refreshRestored(tx: Tx, nodeId: string, by: By): Promise<void> {
  await makeRefreshes(tx, await nodesToRefresh(tx, { nodeId, archived: true }, 1), 'restore', by)
}

/** Refreshes a node after a new model: a program that read the actions of the previous one runs again. */
export async function refreshAfterModel(tx: Tx, nodeId: string, by: By): Promise<void> {
  await makeRefreshes(tx, await nodesToRefresh(tx, { nodeId, archived: false, readsCatalogue: true }, 1), 'model', by)
}

async function makeRefreshes(tx: Tx, nodes: readonly NodeToRefresh[], trigger: RefreshTrigger, by: By): Promise<void> {
  const events: NewEvent[] = []
  for (const node of nodes) {
    const id = await makeTask(tx, {
      type: 'GenerateActionsRequest',
      pool: derivationPool,
      aboutNode: true,
      trigger,
      nodeId: node.id,
      historyId: node.history_id,
      projectId: node.project_id,
      path: node.path,
      createdBy: by.username,
      userId: by.userId,
      scopeProjectId: by.scopeProjectId ?? null,
    })
    // One that is already queued will read the current inputs when it begins.
    if (id !== undefined) events.push(created(id, node, trigger))
  }
  await recordAll(tx, events)
}

const created = (id: string, node: NodeToRefresh, trigger: RefreshTrigger): NewEvent => ({
  type: 'api:generate_actions_request:create',
  actor: theService,
  source: { type: 'node_background_task', id },
  node: { id: node.id, path: node.path, projectId: node.project_id, code: node.code, nodeType: node.node_type },
  attributes: { name: node.name, trigger },
})

const atOnce = 500
const jobName = 'templates.refresh_nodes'

/** Enqueues the refresh of a version's nodes after its commit changed, in the same transaction. */
export const refreshNodesSoon = (
  tx: Tx,
  { enqueue }: Pick<Runtime, 'enqueue'>,
  payload: { readonly templateVersionId: string; readonly trigger: RefreshTrigger; readonly by: By },
): Promise<void> => enqueue(tx, jobName, payload, { key: `${jobName}:${payload.templateVersionId}` })

/**
 * Job that refreshes nodes one part at a time, each in a transaction of its own: killed and started again, it finds the
 * queued tasks that it created.
 */
export const refreshNodes: Job = {
  name: jobName,
  run: async (
    { templateVersionId, trigger, by }: { templateVersionId: string; trigger: RefreshTrigger; by: By },
    { database },
  ) => {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const nodes = await database.transaction(async tx => {
        const found = await nodesToRefresh(tx, { templateVersionId, after, archived: false }, atOnce)
        await makeRefreshes(tx, found, trigger, by)
        return found
      })
      if (nodes.length < atOnce) return
      after = nodes.at(-1)!.id
    }
  },
}
