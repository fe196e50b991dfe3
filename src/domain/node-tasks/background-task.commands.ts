import { type AnyCommand, type Context, command, done, type Request, type Target } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { eventNode, findNode, lockUnarchived, type Node, pathsOfType } from '../nodes/index.ts'
import { endTask } from './background-task.jobs.ts'
import {
  lockTask,
  lockTaskOfNode,
  lockVersionOfNode,
  makeTask,
  noteCancelled,
  openTaskOf,
} from './background-task.store.ts'
import { type BackgroundTask, derivationPool, type TaskTypeName, typeOf } from './background-task.ts'
import type { TaskType } from './task-type.port.ts'

const assets = pathsOfType.asset.map(path => `/api${path}/node_background_tasks`)
const agents = pathsOfType.agent.map(path => `/api${path}/node_background_tasks`)

export const backgroundTaskCommands = (types: readonly TaskType[]): readonly AnyCommand[] => [refresh, cancel(types)]

/** Reads the node's actions again; the inputs are read when the task begins. */
const refresh = command<never, Target & { node: Node }>({
  name: 'node_background_tasks.refresh_actions',
  summary: 'Refreshes the actions of an asset.',
  method: 'POST',
  paths: assets,
  status: 201,
  event: 'api:generate_actions_request:create',
  eventBody: [],
  answers: 'node_background_task',
  find: async ({ tx }, { params }) => {
    const node = await findNode(tx, params)
    return node && { node, readPath: node.path }
  },
  needs: ({ node }) => [{ right: 'execute', path: node.path }],
  run: async (context, { node }) => {
    const id = await makeTaskOf(context, node, {
      type: 'GenerateActionsRequest',
      pool: derivationPool,
      trigger: 'request',
    })
    return done({
      id,
      event: { ...aboutTask(id, node), attributes: { name: node.name, trigger: 'request' } },
    })
  },
})

/**
 * Creates a task of a node at the request of a person, unless one of its type is open.
 *
 * @throws Failure `wrong-state`, with the link of the open one in `meta.links`
 */
export async function makeTaskOf(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  node: Node,
  asked: { readonly type: TaskTypeName; readonly pool: string; readonly trigger: string; readonly input?: string },
): Promise<string> {
  await lockUnarchived(tx, node)
  // Serializes concurrent requests.
  const now = await lockVersionOfNode(tx, node.id)
  const open = await openTaskOf(tx, node.id, asked.type)
  if (open) throw openAlready(node, open)
  const id = await makeTask(tx, {
    ...asked,
    aboutNode: true,
    nodeId: node.id,
    projectId: node.project_id,
    path: node.path,
    ...(now && { historyId: now.id }),
    createdBy: actor.username,
    userId: actor.userId,
    scopeProjectId: actor.scopeProjectId ?? null,
  })
  return id!
}

function openAlready(node: Node, open: BackgroundTask) {
  const state = open.status_code === 'running' ? 'is running' : 'is queued'
  return failure('wrong-state', `A ${open.task_type} of ${node.path} ${state} already: wait for it, or cancel it.`, {
    meta: { links: { node_background_task: `/api${node.path}/node_background_tasks/${open.id}` } },
  })
}

export const aboutTask = (id: string, node: Node) => ({
  source: { type: 'node_background_task', id },
  node: eventNode(node),
})

interface FoundTask extends Target {
  readonly node: Node
  readonly task: BackgroundTask
}

/**
 * Command that cancels a task. One that has not begun is cancelled at once; for one that runs, the runner is notified,
 * and it ends when that has stopped.
 */
const cancel = (types: readonly TaskType[]): AnyCommand =>
  command<never, FoundTask>({
    name: 'node_background_tasks.cancel',
    summary: 'Cancels a background task.',
    method: 'DELETE',
    paths: [...assets, ...agents].map(path => `${path}/:id`),
    status: 204,
    // The type determines it.
    event: null,
    eventBody: [],
    find: findTaskOfNode,
    needs: ({ node }) => [{ right: 'execute', path: node.path }],
    refuse: ({ task }) =>
      ['initializing', 'running'].includes(task.status_code)
        ? undefined
        : failure('wrong-state', `The task has ended (${task.status_code}): there is nothing to cancel.`),
    run: async (context, { node, task }) => {
      const { actor } = context
      const event = { ...aboutTask(task.id, node), attributes: { name: node.name, task_type: task.task_type } }
      if (task.cancelled_by === null) {
        const type = typeOf(types, task)
        await cancelTask(context, type, task)
        await context.record({ type: type.cancelEvent, actor, ...event })
      }
      return done({ event })
    },
  })

/** Cancels an open task that is locked. */
export async function cancelTask({ tx, actor }: Pick<Context, 'tx' | 'actor'>, type: TaskType, task: BackgroundTask) {
  await noteCancelled(tx, task.id, actor.username)
  if (task.status_code === 'initializing')
    await endTask(type, tx, { ...task, cancelled_by: actor.username }, { status: 'cancelled' })
  else tx.hint('cancel')
}

async function findTaskOfNode({ tx }: Context, { params }: Request<unknown>): Promise<FoundTask | undefined> {
  const node = await findNode(tx, params)
  if (!node) return undefined
  const row = await lockTaskOfNode(tx, node.id, params['id'] ?? '')
  if (!row) return undefined
  const task = (await lockTask(tx, row.id))!
  return { node, task, readPath: node.path, rowVersion: row.rowVersion }
}
