import type { ReactNode } from 'react'
import { ColumnsButton } from '../columns/columns-button.tsx'
import type { ColumnsOf, TitledColumn } from '../columns/use-columns.ts'
import styles from './list-frame.module.css'
import { FilterBar } from './list-frame.tsx'

interface ListWithColumnsProps {
  readonly columns: ColumnsOf<TitledColumn>
  /** Class of the frame, where the page has its own. */
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A list, and above it the choice of its columns. */
export function ListWithColumns({ columns, className = styles['listed'], children }: ListWithColumnsProps) {
  return (
    <div className={className}>
      <FilterBar end={<ColumnsButton columns={columns} />} />
      {children}
    </div>
  )
}
