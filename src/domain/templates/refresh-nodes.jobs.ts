import { theService } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import type { NewEvent } from '#platform/events.ts'
import { recordAll } from '../events/index.ts'
import { derivationPool, makeTask } from '../node-tasks/index.ts'

/** Why the actions of a node are to be derived without anybody's having asked for it. */
export type RefreshTrigger = 'create' | 'restore' | 'template_version_change' | 'float' | 'model'

interface NodeToRefresh {
  readonly id: string
  readonly history_id: string
  readonly project_id: string
  readonly path: string
  readonly code: string
  readonly name: string
  readonly node_type: string
}

/**
 * Assets whose version has actions that depend on their properties: each has its own derived. Those of any other version
 * are the version's, and there is nothing to derive.
 *
 * @param which over `h`, the open row of history of the node `n`, and `k`, the actions that its version declares
 */
const nodesToRefresh = (queries: Queries, which: ReturnType<typeof sql<boolean>>, limit: number) =>
  queries.rows(sql<NodeToRefresh>`
    select n.id, h.id as history_id, n.project_id, n.path, n.code, n.name, n.node_type
      from template_version_histories h
      join nodes n on n.id = h.node_id and n.node_type = 'asset' and n.destroyed_at is null
      join templates t on t.id = h.template_id
      join template_version_commits c on c.template_version_id = h.template_version_id and c.active_to is null
      join action_catalogues k on k.git_remote_id = c.git_remote_id and k.commit_sha = c.commit_sha
                              and k.folder = t.code and k.input_sha = '' and k.reads_input
     where h.active_to is null and ${which}
     order by n.id
     limit ${limit}`)

interface By {
  readonly username: string
  readonly userId: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scopeProjectId?: string | null
}

/** A node has got a version of its template: its actions are derived, where they are its own. */
export async function refreshNode(tx: Tx, nodeId: string, trigger: RefreshTrigger, by: By): Promise<void> {
  await makeRefreshes(tx, await nodesToRefresh(tx, sql<boolean>`n.id = ${nodeId}::uuid`, 1), trigger, by)
}

/** An archived node is about to be restored: its version may have moved without it. */
export async function refreshRestored(tx: Tx, nodeId: string, by: By): Promise<void> {
  const which = sql<boolean>`n.id = ${nodeId}::uuid and n.archived`
  await makeRefreshes(tx, await nodesToRefresh(tx, which, 1), 'restore', by)
}

/** A new model: a program that looked at the actions of the one before is asked again. */
export async function refreshAfterModel(tx: Tx, nodeId: string, by: By): Promise<void> {
  const which = sql<boolean>`n.id = ${nodeId}::uuid and not n.archived and k.reads_catalogue`
  await makeRefreshes(tx, await nodesToRefresh(tx, which, 1), 'model', by)
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
    // One in line already will look at what is in force when it begins.
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
 * One part at a time, each in a transaction of its own: killed and started again, it finds the queued tasks that it
 * created.
 */
export const refreshNodes: Job = {
  name: jobName,
  run: async (
    { templateVersionId, trigger, by }: { templateVersionId: string; trigger: RefreshTrigger; by: By },
    { database },
  ) => {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const nodes = await database.transaction(async tx => {
        const which = sql<boolean>`
          h.template_version_id = ${templateVersionId}::uuid and n.id > ${after}::uuid and not n.archived`
        const found = await nodesToRefresh(tx, which, atOnce)
        await makeRefreshes(tx, found, trigger, by)
        return found
      })
      if (nodes.length < atOnce) return
      after = nodes.at(-1)!.id
    }
  },
}
