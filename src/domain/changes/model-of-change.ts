import type { Queries } from '#platform/db/database.ts'
import type { CurrentModel } from '../models/index.ts'
import type { Node } from '../nodes/index.ts'
import { findModelFile } from '../templates/index.ts'
import type { StoredChange } from './change.store.ts'
import type { ChangeParts } from './parts.ts'

/**
 * The model of a change's asset, right for the commit of the change and the asset's properties as they are now. Most
 * templates have none, which one statement tells.
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
