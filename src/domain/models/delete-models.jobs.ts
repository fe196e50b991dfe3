import { inBatches } from '#platform/db/batches.ts'
import type { Database } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { Failure } from '#platform/failure.ts'
import { findNodeById } from '../nodes/index.ts'
import { readCommitInForce } from '../templates/index.ts'
import type { CurrentModelParts } from './current-model.tx.ts'
import { deleteModelsOf, deleteModelsOvertaken, type ModelInput, nodesOvertaken, propertiesSha } from './model.store.ts'

/** Number of models deleted at once: each may be megabytes. */
const atOnce = 100

export async function deleteModelsOfNodes(
  { database, stopping }: Runtime,
  nodes: readonly string[],
): Promise<string[]> {
  await inBatches(stopping, most => deleteModelsOf(database, nodes, most), atOnce)
  return []
}

/**
 * Job that deletes models that have been outdated for long. Properties that return within a quarter find theirs, and
 * the current one remains, however old: properties that returned did not create a newer one.
 */
export const deleteOldModels = (parts: CurrentModelParts): Job => ({
  name: 'models.delete_overtaken',
  cron: '43 3 * * *',
  run: async (_: object, { database, stopping }) => {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const nodes = await nodesOvertaken(database, after, atOnce)
      for (const id of nodes) {
        const now = await inForce(parts, database, id)
        if (now) await inBatches(stopping, most => deleteModelsOvertaken(database, id, now, most), atOnce)
      }
      if (nodes.length < atOnce) return
      after = nodes.at(-1)!
    }
  },
})

/**
 * Inputs of a model of the asset that would be valid now. Undefined if they cannot be determined: then all models
 * remain for today.
 */
async function inForce(
  { keyring, converge }: CurrentModelParts,
  database: Database,
  nodeId: string,
): Promise<ModelInput | undefined> {
  const node = await findNodeById(database, nodeId)
  const now = node && (await readCommitInForce(database, nodeId))
  if (!now) return undefined
  try {
    const { data } = await converge(database, node)
    return { gitRemoteId: now.gitRemoteId, commit: now.commit, propertiesSha: propertiesSha(keyring, data) }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
