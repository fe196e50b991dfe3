import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { EmptyState } from '../state/state.tsx'
import styles from './list-frame.module.css'

interface ListFrameProps {
  readonly filters: ReactNode
  /** `FilterRow` with the filters in force and the total. */
  readonly row?: ReactNode
  readonly children: ReactNode
}

/** Filters above a list that fills the rest of its page. */
export function ListFrame({ filters, row, children }: ListFrameProps) {
  return (
    <div className={styles['frame']}>
      <div className={styles['head']}>
        {filters}
        {row}
      </div>
      {children}
    </div>
  )
}

interface FilterBarProps {
  /** Name of the filters for screen readers, if there are several. */
  readonly label?: string
  /** Actions of the list at the end of the row. */
  readonly end?: ReactNode
  readonly children?: ReactNode
}

/** Row of filters and actions of a list; a search field in it is as wide as the window allows. */
export function FilterBar({ label, end, children }: FilterBarProps) {
  return (
    <div className={styles['filters']} {...(label !== undefined && { role: 'group', 'aria-label': label })}>
      {children}
      {end !== undefined && <span className={styles['end']}>{end}</span>}
    </div>
  )
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
