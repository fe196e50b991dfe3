import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Records } from '#client/generated/api.ts'
import type { Query } from '#client/sluice.ts'
import { fromJson } from '#json/from-json.ts'
import { sluice } from './client.ts'
import type { Document, Resource } from './records.ts'

/** Record with its ETag, which a later write names (`write`) so that it cannot overwrite what somebody else saved. */
export interface Versioned<Attributes> {
  readonly record: Resource<Attributes>
  readonly included: readonly Resource[]
  readonly etag: string
}

export async function readVersioned<Attributes>(path: string, query?: Query): Promise<Versioned<Attributes>> {
  const answer = await sluice().raw(query ? `${path}?${new URLSearchParams(query as Record<string, string>)}` : path)
  const { data, included = [] } = fromJson(await answer.text()) as Document<Resource<Attributes>>
  const etag = answer.headers.get('etag')
  if (etag === null) throw new Error(`${path} has no ETag`)
  return { record: data, included, etag }
}

export const versionedKey = (path: string, query?: Query) =>
  query === undefined ? (['versioned', path] as const) : (['versioned', path, query] as const)

/** Reads one record with its ETag, always anew: for pages and dialogs that change it. Reads nothing without a path. */
export const useVersioned = <Type extends keyof Records>(
  path: string | undefined,
  query?: Query,
): UseQueryResult<Versioned<Records[Type]>> =>
  useQuery({
    queryKey: versionedKey(path ?? '', query),
    queryFn: () => readVersioned<Records[Type]>(path ?? '', query),
    enabled: path !== undefined,
    staleTime: 0,
  })
