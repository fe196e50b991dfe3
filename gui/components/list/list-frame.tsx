import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../state/state.tsx'
import styles from './list-frame.module.css'

/** Filters above a list that fills the rest of its page. */
export function ListFrame({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['frame']}>
      {filters}
      {children}
    </div>
  )
}

/** Row of filters; a search field in it is as wide as the window allows. */
export function FilterBar({ label, children }: { label?: string; children: ReactNode }) {
  if (label === undefined) return <div className={styles['filters']}>{children}</div>
  return (
    <div className={styles['filters']} role="group" aria-label={label}>
      {children}
    </div>
  )
}

interface ListStatesProps {
  readonly query: {
    readonly isPending: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly refetch: () => unknown
  }
  /** Number of records that are known. */
  readonly count: number
  /** What stands in place of the list when there is none. */
  readonly empty: ReactNode
  /** Rows of the placeholder. */
  readonly skeleton?: number
  /** The list, of at least one record. */
  readonly children: ReactNode
}

/** A list, or why there is none: it is loading, could not be read, or is empty. Known records stay when a read fails. */
export function ListStates({ query, count, empty, skeleton = 8, children }: ListStatesProps) {
  if (query.isPending) return <Skeleton rows={skeleton} />
  if (query.isError && count === 0) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return count === 0 ? empty : children
}

interface NothingMatchesProps {
  readonly title: string
  /** Text of the button that clears the filters. */
  readonly clear: string
  readonly onClear: () => void
}

/** Empty state of a list that has records, of which the filters match none. */
export const NothingMatches = ({ title, clear, onClear }: NothingMatchesProps) => (
  <EmptyState title={title}>
    <Button onClick={onClear}>{clear}</Button>
  </EmptyState>
)
