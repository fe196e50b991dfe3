import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Records } from '#client/generated/api.ts'
import type { Document, Query, Resource } from '#client/sluice.ts'
import { sluice } from './client.ts'
import { listKey, recordKey } from './keys.ts'

/** Options of reads. */
export interface ReadOptions {
  /** Fetches again after this many milliseconds, for what no live stream reports. */
  readonly every?: number
  /** Whether to read at all, for paths that depend on another answer. */
  readonly enabled?: boolean
}

/**
 * Reads one record.
 *
 *     const change = useRecord<'change'>(`/api/changes/${id}`)
 */
export function useRecord<Type extends keyof Records>(
  path: string,
  query?: Query,
  options: ReadOptions = {},
): UseQueryResult<Resource<Records[Type]>> {
  return useQuery({
    queryKey: recordKey(path, query),
    queryFn: () => sluice().show<Records[Type]>(path, query),
    ...refetching(options),
  })
}

/** Reads a document whose shape is not that of a record of the API's types, such as a report. */
export function useDocument<Whole = Document>(
  path: string,
  query?: Query,
  options: ReadOptions = {},
): UseQueryResult<Whole> {
  return useQuery({
    queryKey: recordKey(path, query),
    queryFn: () => sluice().document<Whole>(path, query),
    ...refetching(options),
  })
}

export interface ListResult<Attributes> {
  /** Records of all pages read so far. */
  readonly records: Resource<Attributes>[]
  /** Records that these refer to, where the query includes them. */
  readonly included: Resource[]
  readonly query: Pick<
    UseInfiniteQueryResult,
    | 'isPending'
    | 'isSuccess'
    | 'isError'
    | 'isSuccess'
    | 'error'
    | 'hasNextPage'
    | 'fetchNextPage'
    | 'isFetchingNextPage'
    | 'isFetching'
    | 'refetch'
  >
  /** `meta` of the first page: totals, counts, authorisations. */
  readonly meta: Record<string, unknown>
}

/**
 * Reads a list page by page; `query.fetchNextPage` follows `links.next`. The rows shown stay while a changed filter is
 * being answered.
 */
export function useList<Type extends keyof Records>(
  path: string,
  query: Query = {},
  options: ReadOptions = {},
): ListResult<Records[Type]> {
  const result = useInfiniteQuery({
    queryKey: listKey(path, query),
    queryFn: ({ pageParam }) =>
      pageParam === '' ? sluice().document<Page>(path, query) : sluice().document<Page>(pageParam),
    initialPageParam: '',
    getNextPageParam: last => last.links?.next,
    placeholderData: keepPreviousData,
    ...refetching(options),
  })
  const records = useMemo(() => result.data?.pages.flatMap(page => page.data) ?? [], [result.data])
  const included = useMemo(() => result.data?.pages.flatMap(page => page.included ?? []) ?? [], [result.data])
  return {
    included,
    records: records as unknown as Resource<Records[Type]>[],
    query: result,
    meta: result.data?.pages[0]?.meta ?? {},
  }
}

type Page = Document<Resource[]>

const refetching = ({ every, enabled }: ReadOptions) => ({
  ...(every !== undefined && { refetchInterval: every }),
  ...(enabled !== undefined && { enabled }),
})
