import type { ActionCatalogue } from '#authoring/actions/action.ts'
import type { Queries } from '#platform/db/database.ts'
import { findModelFile } from '../action-catalogue/index.ts'
import type { CurrentModel } from '../models/index.ts'
import type { Node } from '../nodes/index.ts'
import type { StoredChange } from './change.store.ts'
import type { ChangeParts } from './parts.port.ts'

/**
 * The model of a change's asset, valid for the commit of the change and the current properties of the asset. Most
 * templates have no model, which one statement finds out.
 */
export async function modelOfChange(
  parts: Pick<ChangeParts, 'model'>,
  queries: Queries,
  change: StoredChange,
  node: Node,
): Promise<CurrentModel> {
  const { git_remote_id: gitRemoteId, commit_sha: commit, template_code: folder } = change
  if (commit === null || folder === null) return { state: 'none' }
  if ((await findModelFile(queries, { gitRemoteId, commit, folder })) === undefined) return { state: 'none' }
  const model = await parts.model(queries, node)
  const isOfAnother = model.state === 'none' || (model.state === 'valid' && model.commit !== commit)
  return isOfAnother ? { state: 'invalid', reason: 'template_version_changed' } : model
}

/**
 * The actions of its asset's model that a change may name: those of the last model of its commit if no model is
 * currently valid. A step that changes a property must not remove the action that the next one runs.
 */
export async function modelActionsOfChange(
  parts: Pick<ChangeParts, 'lastModelActions'>,
  queries: Queries,
  change: StoredChange,
  model: CurrentModel,
): Promise<ActionCatalogue | undefined> {
  if (model.state === 'invalid') return parts.lastModelActions(queries, change.node_id, change)
  return model.state === 'valid' ? model.actions() : undefined
}
