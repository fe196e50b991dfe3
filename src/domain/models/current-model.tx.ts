import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure } from '#platform/failure.ts'
import { findModelFile } from '../action-catalogue/index.ts'
import type { Node } from '../nodes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import { readCommitInForce } from '../templates/index.ts'
import { lastModelOf, modelFor, modelsOfNode, openColumn, propertiesSha } from './model.store.ts'
import { type InvalidReason, invalidReason } from './model-state.ts'

export interface CurrentModelParts {
  readonly keyring: Keyring
  readonly converge: ConvergeProperties
}

export type CurrentModel =
  /** State of an asset whose template has no model. */
  | { readonly state: 'none' }
  | { readonly state: 'invalid'; readonly reason: InvalidReason }
  | {
      readonly state: 'valid'
      readonly id: string
      readonly commit: string
      readonly actions: () => ActionCatalogue
      readonly data: () => JsonObject
    }

/**
 * The current model of an asset: for the commit of its template version and its converged properties. Nothing is
 * decrypted if there is no model of that commit.
 */
export async function currentModel(
  { keyring, converge }: CurrentModelParts,
  queries: Queries,
  node: Node,
): Promise<CurrentModel> {
  const now = await readCommitInForce(queries, node.id)
  if (!now) return { state: 'none' }
  const { gitRemoteId, commit, templateCode: folder } = now
  if ((await findModelFile(queries, { gitRemoteId, commit, folder })) === undefined) return { state: 'none' }
  const models = await modelsOfNode(queries, node.id, { gitRemoteId, commit })
  const invalid = { state: 'invalid', reason: invalidReason(models, { gitRemoteId, commit }) } as const
  if (!models.ofCommit) return invalid
  const properties = await convergedOrNone(converge, queries, node)
  const input = properties && { gitRemoteId, commit, propertiesSha: propertiesSha(keyring, properties) }
  const model = input && (await modelFor(queries, node.id, input))
  if (!model) return invalid
  return {
    state: 'valid',
    id: model.id,
    commit,
    actions: () => fromJson(openColumn(keyring, model.actions, model.id, 'actions')),
    data: () => fromJson(openColumn(keyring, model.data, model.id, 'data')),
  }
}

/** The actions of the last model that an asset had at a commit, even if its properties have changed since. */
export async function lastModelActions(
  keyring: Keyring,
  queries: Queries,
  nodeId: string,
  { git_remote_id, commit_sha }: { readonly git_remote_id: string; readonly commit_sha: string | null },
): Promise<ActionCatalogue | undefined> {
  if (commit_sha === null) return undefined
  const last = await lastModelOf(queries, nodeId, { gitRemoteId: git_remote_id, commit: commit_sha })
  return last && fromJson(openColumn(keyring, last.actions, last.id, 'actions'))
}

/** Properties that cannot be converged have no model; requests for them return the reason. */
async function convergedOrNone(
  converge: ConvergeProperties,
  queries: Queries,
  node: Node,
): Promise<JsonObject | undefined> {
  try {
    return (await converge(queries, node)).data
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
