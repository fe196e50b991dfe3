import type { ReactNode } from 'react'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'

/** Milliseconds between reads of what no live stream reports. */
export const every = 15_000

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: unknown
    readonly isPending: boolean
    readonly refetch: () => unknown
  }
  readonly children: (data: Data) => ReactNode
}

/** What a query has read; until then a placeholder, or its error. The last answer stays when a later read fails. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.isPending ? <Skeleton /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />
}
