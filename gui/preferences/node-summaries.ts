import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sluice } from '../api/client.ts'
import { listKey } from '../api/keys.ts'
import type { NodeSummary } from '../api/records.ts'
import { chunksOf } from './path-chunks.ts'

const listPath = '/api/nodes'

async function readSummaries(paths: readonly string[]): Promise<ReadonlyMap<string, NodeSummary>> {
  const lists = await Promise.all(
    chunksOf(paths).map(chunk =>
      sluice().list<NodeSummary>(listPath, { 'filter[path_in][]': chunk, limit: chunk.length }),
    ),
  )
  return new Map(lists.flat().map(({ attributes }) => [attributes.path, attributes]))
}

/**
 * Summaries of nodes by their paths; live activities keep them current. A node that is destroyed, or that the user may
 * not read, is not in the answer. Undefined until the service has answered.
 */
export function useNodeSummaries(paths: readonly string[] | undefined): ReadonlyMap<string, NodeSummary> | undefined {
  const { data } = useQuery({
    queryKey: listKey(listPath, { 'filter[path_in][]': paths ?? [] }),
    queryFn: () => readSummaries(paths ?? []),
    enabled: paths !== undefined,
    placeholderData: keepPreviousData,
  })
  return data
}
