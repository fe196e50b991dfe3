import type { ReactNode } from 'react'
import { ErrorState, Skeleton } from './state.tsx'

interface Read {
  readonly isPending: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

interface ListStatesProps {
  readonly query: Read & { readonly isError: boolean }
  /** Number of records that are known. */
  readonly count: number
  /** What stands in place of the list when there is none. */
  readonly empty: ReactNode
  /** Rows of the placeholder. */
  readonly skeleton?: number | undefined
  /** The list, of at least one record. */
  readonly children: ReactNode
}

/** A list, or why there is none: it is loading, could not be read, or is empty. Known records stay when a read fails. */
export function ListStates({ query, count, empty, skeleton = 8, children }: ListStatesProps) {
  if (count > 0) return children
  return query.isPending || query.isError ? <Unread query={query} skeleton={skeleton} /> : empty
}

interface LoadedProps<Data> {
  readonly query: Read & { readonly data: Data | undefined }
  /** Rows of the placeholder. */
  readonly skeleton?: number
  readonly children: (data: Data) => ReactNode
}

/** What a query has read; until then a placeholder, or its error. The last answer stays when a later read fails. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  return query.data === undefined ? <Unread query={query} skeleton={skeleton} /> : children(query.data)
}

interface UnreadProps {
  readonly query: Read
  readonly skeleton?: number | undefined
}

/** State of what could not be shown yet: a placeholder while it is read, or the error with "Try again". */
export const Unread = ({ query, skeleton }: UnreadProps) =>
  query.isPending ? (
    <Skeleton rows={skeleton} />
  ) : (
    <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  )
