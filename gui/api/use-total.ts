import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Document, Query } from '#client/sluice.ts'
import { sluice } from './client.ts'
import type { ListResult } from './queries.ts'

export interface Total {
  readonly count: number
  /** Whether the service has counted to the end; otherwise there are more. */
  readonly isExact: boolean
}

/** Milliseconds between counts of a list that has more pages than were read. */
const every = 30_000

/**
 * Total of a list. One whose pages were all read is counted here. Otherwise the service counts, up to 10,000 and by a
 * request of its own: together with the list it would count with each page and with each refresh of a live list.
 *
 * @param path of the list that was read
 * @param query with the filters of the list
 */
export function useTotal(
  { records, query: { isSuccess, hasNextPage } }: Pick<ListResult<unknown>, 'query'> & { records: readonly unknown[] },
  path: string,
  query: Query,
): Total | undefined {
  const isCounted = isSuccess && hasNextPage
  const counting = useQuery({
    queryKey: ['total', path, countQuery(query)],
    queryFn: () => sluice().document<Document<unknown>>(path, countQuery(query)),
    enabled: isCounted,
    staleTime: every,
    refetchInterval: every,
    placeholderData: keepPreviousData,
  })
  if (!isSuccess) return undefined
  if (!hasNextPage) return { count: records.length, isExact: true }
  const { total, total_exact: isExact } = (counting.data?.meta ?? {}) as { total?: number; total_exact?: boolean }
  return total === undefined ? undefined : { count: total, isExact: isExact !== false }
}

/** Filters of a query, to count what they leave. */
function countQuery(query: Query): Query {
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter[') && name !== 'filter[sorts]')
  return { ...Object.fromEntries(filters), limit: 1, total: true }
}
