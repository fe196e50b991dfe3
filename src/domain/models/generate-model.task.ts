import { theService } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { RecordEvent } from '#platform/events.ts'
import { Failure } from '#platform/failure.ts'
import { findCatalogue, findModelFile, readActionsOfModel } from '../action-catalogue/index.ts'
import type { BackgroundTask, Made, ServiceTaskRuntime, TaskType } from '../node-tasks/index.ts'
import { eventNode, findNodeById, type Node } from '../nodes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import type { SettingsReader } from '../settings/index.ts'
import { type CommitInForce, readCommitInForce, refreshAfterModel } from '../templates/index.ts'
import { hiddenProperties } from './hidden-properties.ts'
import { historyOf, insertModel, propertiesSha } from './model.store.ts'
import { contextOf } from './model-context.ts'
import type { Render } from './renderer.adapter.ts'
import type { Rendered } from './rendering.ts'

/** The pool of the slots for rendering. */
export const modelPool = 'model'

export interface ModelParts {
  readonly keyring: Keyring
  readonly settings: SettingsReader
  readonly converge: ConvergeProperties
  readonly record: RecordEvent
  readonly render: Render
}

/**
 * Task that generates the model of an asset: rendered outside of any transaction, stored in the one that ends the task.
 * Its inputs are stored with it, so that after a concurrent change of properties it is outdated, not wrong.
 */
export const generateModel = (parts: ModelParts): TaskType => ({
  name: 'GenerateModelTask',
  pool: modelPool,
  cancelEvent: 'api:models:cancel',
  work: { in: 'service', run: (task, runtime) => run(parts, task, runtime) },
  ended: async () => {},
})

/** Inputs of a model, as they are when the task runs. */
interface ModelInputs {
  readonly node: Node
  readonly now: CommitInForce
  readonly template: string
  readonly properties: JsonObject
  readonly seconds: number
}

async function run(parts: ModelParts, task: BackgroundTask, runtime: ServiceTaskRuntime): Promise<Made> {
  const node = task.node_id === null ? undefined : await findNodeById(runtime.database, task.node_id)
  if (!node) return { ending: { status: 'error', error: 'The asset has been destroyed.' } }
  const failed = new Failing(parts.record, node)
  try {
    const given = await inputsOf(parts, runtime.database, node)
    if (typeof given === 'string') return failed.as('error:model:generate', given)
    failed.given = given
    await runtime.say(`Rendering model.json.erb of commit ${given.now.commit} (version ${given.now.version}).`)
    const rendered = await parts.render(renderingOf(given), runtime.signal)
    if (rendered.logs.length > 0)
      await runtime.say(rendered.logs.map(({ category, message }) => `${category}: ${message}`).join('\n'))
    if ('error' in rendered) return failed.as('error:model:generate', rendered.error)
    return await modelOrFailure(parts.keyring, runtime, task, given, rendered, failed)
  } catch (error) {
    // The code that ended it records why; without a database nothing can be recorded.
    if (runtime.signal.aborted || isDatabaseAway(error) || !(error instanceof Failure)) throw error
    return failed.as('error:model:generate', error.message)
  }
}

async function inputsOf(
  parts: Pick<ModelParts, 'settings' | 'converge'>,
  queries: Queries,
  node: Node,
): Promise<ModelInputs | string> {
  const now = await readCommitInForce(queries, node.id)
  if (!now) return 'The asset has no version of its template that is ready.'
  const { gitRemoteId, commit, templateCode: folder } = now
  const template = await findModelFile(queries, { gitRemoteId, commit, folder })
  if (template === undefined) return `The folder ${folder} holds no model.json.erb at commit ${commit}.`
  const { data: properties } = await parts.converge(queries, node)
  const { data: settings } = await parts.settings.ofNode(queries, node)
  return { node, now, template, properties, seconds: Number(settings['model_render_timeout']) }
}

const renderingOf = ({ node, now, template, properties, seconds }: ModelInputs) => ({
  template,
  properties: JSON.stringify(properties),
  context: JSON.stringify(contextOf(node, now)),
  seconds,
})

async function modelOrFailure(
  keyring: Keyring,
  { database, say }: ServiceTaskRuntime,
  task: BackgroundTask,
  { node, now, properties }: ModelInputs,
  { data, logs }: Extract<Rendered, { data: string }>,
  failed: Failing,
): Promise<Made> {
  const { gitRemoteId, commit, templateCode: folder } = now
  const file = await findCatalogue(database, { gitRemoteId, commit, folder }, node.id)
  if (file?.state !== 'ready')
    return failed.as('error:model:derive_actions', 'The actions of the commit are not known.')
  const actions = await readActionsOfModel(data, file.catalogue)
  if ('faults' in actions) return failed.as('error:model:derive_actions', actions.faults.join('\n'))
  await say(`${data.length} characters, ${actions.actions.length} actions.`)
  const keep = async (tx: Tx): Promise<void> => {
    await insertModel(tx, keyring, {
      nodeId: node.id,
      projectId: node.project_id,
      historyId: await historyOf(tx, node.id, now.templateVersionId),
      gitRemoteId,
      commit,
      propertiesSha: propertiesSha(keyring, properties),
      data,
      actions,
      logs,
      createdBy: task.created_by,
      userId: task.user_id,
    })
    await refreshAfterModel(tx, node.id, {
      username: task.created_by,
      userId: task.user_id,
      scopeProjectId: task.scope_project_id,
    })
  }
  return { ending: { status: 'success' }, keep }
}

/** Error that fails a task: the event is recorded in the transaction that ends it. */
class Failing {
  given: ModelInputs | undefined
  readonly #record: RecordEvent
  readonly #node: Node

  constructor(record: RecordEvent, node: Node) {
    this.#record = record
    this.#node = node
  }

  as(type: 'error:model:generate' | 'error:model:derive_actions', error: string): Made {
    const { given } = this
    const properties = given && hiddenProperties(given.properties)
    const event = {
      type,
      actor: theService,
      source: { type: 'asset', id: this.#node.id },
      node: eventNode(this.#node),
      attributes: {
        name: this.#node.name,
        error,
        ...(given && {
          template_code: given.now.templateCode,
          version: given.now.version,
          commit_sha: given.now.commit,
        }),
        ...(type === 'error:model:generate' && properties && { converged_properties: properties }),
      },
    }
    return { ending: { status: 'error', error }, keep: tx => this.#record(tx, event) }
  }
}
