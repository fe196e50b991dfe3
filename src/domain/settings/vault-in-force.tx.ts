import type { Queries } from '#platform/db/database.ts'
import { equal, type Json, type JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import type { Node } from '../nodes/index.ts'
import { overrideSource } from './converge.ts'
import { type SettingsReader, versionsOf } from './converged.store.ts'
import { hideSecrets } from './hidden.ts'

type Owner = Pick<Node, 'id' | 'project_id' | 'environment_id' | 'path'>

/** Number of cached nodes: as many as may have frequently used secrets. */
const mostKept = 1_024

/**
 * The setting `vault` in force for a node, undefined if none is set. Every step with a secret reads it: the documents
 * are decrypted once while their versions are unchanged. A value set below global must still be listed there, except
 * for its credentials: a vault that was removed from the list is no longer used.
 *
 * @throws Failure when it is not listed any more
 */
export function vaultInForce(
  reader: SettingsReader,
): (queries: Queries, owner: Owner) => Promise<JsonObject | undefined> {
  const kept = new Map<string, { versions: string; vault: Json | undefined; refused: boolean }>()
  const read = async (queries: Queries, owner: Owner) => {
    const { data, sources } = await reader.ofNode(queries, owner)
    const vault = data['vault']
    const isGlobal = ['Global', overrideSource].includes(sources['vault'] ?? '')
    const listed = (data['allowed.vault'] ?? []) as readonly Json[]
    const bare = (each: Json) => hideSecrets({ vault: each })
    const refused = vault !== undefined && !isGlobal && !listed.some(each => equal(bare(each), bare(vault)))
    return { vault, refused }
  }
  return async (queries, owner) => {
    const line = [...new Set([owner.project_id, ...(owner.environment_id ? [owner.environment_id] : []), owner.id])]
    const versions = await versionsOf(queries, reader, line)
    const known = kept.get(owner.id)
    kept.delete(owner.id)
    const now = known?.versions === versions ? known : { versions, ...(await read(queries, owner)) }
    kept.set(owner.id, now)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    if (now.refused)
      throw failure(
        'wrong-state',
        `The vault that ${owner.path} is set to is not among those that allowed.vault lists.`,
      )
    return now.vault as JsonObject | undefined
  }
}
