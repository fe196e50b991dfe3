import type { ReactNode } from 'react'
import type { ColumnsOf } from '../../components/columns/use-columns.ts'
import type { FewColumns } from '../../components/table/table.tsx'
import { Explained } from './explained.tsx'
import styles from './fact-table.module.css'

export interface FactColumn<Row> {
  readonly id: string
  readonly title: string
  /** Shown in every choice of columns. */
  readonly isFixed?: true
  /** What the values mean, as a tooltip of the title. */
  readonly about?: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned, for numbers. */
  readonly end?: boolean
}

interface FactTableProps<Row> {
  readonly label: string
  readonly columns: ColumnsOf<FactColumn<Row>> | FewColumns<FactColumn<Row>>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Table of a few rows with cells that wrap; in narrow windows each row is a block of titles and values. */
export function FactTable<Row>({ label, columns: given, rows, keyOf }: FactTableProps<Row>) {
  const columns: readonly FactColumn<Row>[] = 'shown' in given ? given.shown : given
  return (
    <div className={styles['frame']}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, title, about, end }) => (
              <th key={id} scope="col" className={end ? styles['end'] : undefined}>
                {about === undefined ? title : <Explained text={title} about={about} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, title, cell, end }) => (
                <td key={id} data-title={title} className={end ? styles['end'] : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
