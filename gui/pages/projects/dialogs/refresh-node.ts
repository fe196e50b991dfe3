import type { QueryClient } from '@tanstack/react-query'
import { listKey, recordKey } from '../../../api/keys.ts'
import { nodesPath } from '../nodes.ts'

/** Reads a node and the tree again after one of them was changed. */
export async function refreshNode(cache: QueryClient, path: string): Promise<void> {
  await Promise.all([
    cache.invalidateQueries({ queryKey: listKey(nodesPath) }),
    cache.invalidateQueries({ queryKey: recordKey(`/api${path}`) }),
  ])
}
