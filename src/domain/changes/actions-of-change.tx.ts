import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Queries } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { withModelActions } from '../action-catalogue/index.ts'
import type { Node } from '../nodes/index.ts'
import type { ChangeParts } from './parts.port.ts'

/**
 * The actions among which a change finds its own: those of the commit, and for an action that is none of them those of
 * the asset's model, if the model is valid for the same commit.
 *
 * @throws Failure when the asset has a model which could have the action, but is not valid
 */
export async function actionsOfChange(
  parts: Pick<ChangeParts, 'model'>,
  queries: Queries,
  { node, action, commitSha }: { node: Node; action: string; commitSha: string },
  file: ActionCatalogue,
): Promise<ActionCatalogue> {
  if (node.node_type !== 'asset' || file.actions.some(each => each.action === action)) return file
  const model = await parts.model(queries, node)
  if (model.state === 'none') return file
  if (model.state === 'valid' && model.commit === commitSha) return withModelActions(file, model.actions())
  const why = model.state === 'valid' ? 'of another version of its template' : `not valid (${model.reason})`
  throw failure(
    'wrong-state',
    `The actions file has no action ${action}, and the model of the asset is ${why}: generate it first.`,
    { source: { pointer: '/data/attributes/action' } },
  )
}
