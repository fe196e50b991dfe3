import type { ReactNode } from 'react'
import { Explained } from './explained.tsx'
import styles from './fact-table.module.css'

export interface FactColumn<Row> {
  readonly id: string
  readonly title: string
  /** What the values mean, as a tooltip of the title. */
  readonly about?: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned, for numbers. */
  readonly end?: boolean
}

interface FactTableProps<Row> {
  readonly label: string
  readonly columns: readonly FactColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Table of a few rows with cells that wrap; in narrow windows each row is a block of titles and values. */
export function FactTable<Row>({ label, columns, rows, keyOf }: FactTableProps<Row>) {
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
