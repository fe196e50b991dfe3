import { type AnyCommand, command, done, type Target } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { findModelFile } from '../action-catalogue/index.ts'
import { aboutTask, makeTaskOf } from '../node-tasks/index.ts'
import { findNode, type Node, pathsOfType } from '../nodes/index.ts'
import { commitInForce } from '../templates/index.ts'
import { modelPool } from './generate-model.task.ts'

/** Requests the model of an asset; its inputs are read when the task begins. */
const generate = command<never, Target & { node: Node }>({
  name: 'models.generate',
  summary: 'Generates the model of an asset.',
  method: 'POST',
  paths: pathsOfType.asset.map(path => `/api${path}/models/generate`),
  status: 201,
  event: 'api:models:generate',
  eventBody: [],
  answers: 'node_background_task',
  find: async ({ tx }, { params }) => {
    const node = await findNode(tx, params)
    return node && { node, readPath: node.path }
  },
  needs: ({ node }) => [{ right: 'execute', path: node.path }],
  run: async (context, { node }) => {
    const { tx } = context
    const now = await commitInForce(tx, node.id)
    if (!now) throw failure('wrong-state', 'The asset has no version of its template that is ready.')
    const { gitRemoteId, commit, templateCode: folder } = now
    if ((await findModelFile(tx, { gitRemoteId, commit, folder })) === undefined)
      throw failure(
        'wrong-state',
        `The template ${folder} has no model: its folder holds no model.json.erb at ${commit}.`,
      )
    const id = await makeTaskOf(context, node, { type: 'GenerateModelTask', pool: modelPool, trigger: 'request' })
    return done({ id, event: { ...aboutTask(id, node), attributes: { name: node.name } } })
  },
})

export const modelCommands: readonly AnyCommand[] = [generate]
