import type { ReactNode } from 'react'
import type { ListResult } from '../../api/queries.ts'
import { ListStates } from '../state/query-states.tsx'
import { Table, type TableProps } from '../table/table.tsx'

interface ListTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'keyOf' | 'hasMore' | 'onMore'> {
  /** Answer of `useList`, or its query with rows made of its records. */
  readonly list: { readonly records: readonly Row[]; readonly query: ListResult<unknown>['query'] }
  /** Shown when there are no rows. */
  readonly empty: ReactNode
  /** Rows of the placeholder. */
  readonly skeleton?: number
  /** Wraps the table once it has rows, in a box of a certain height or with a line above it. */
  readonly children?: (table: ReactNode) => ReactNode
}

/** Table of a list of the API, or why there is none; it reads on when the end of the rows comes into sight. */
export function ListTable<Row extends { readonly id: string }>(props: ListTableProps<Row>) {
  const { list, empty, skeleton, children, ...special } = props
  const { records, query } = list
  const table = (
    <Table
      {...special}
      rows={records}
      keyOf={idOf}
      hasMore={query.hasNextPage}
      // Each render at the end of the rows asks again, which must not begin the request anew.
      onMore={() => void query.fetchNextPage({ cancelRefetch: false })}
    />
  )
  return (
    <ListStates query={query} count={records.length} skeleton={skeleton} empty={empty}>
      {children ? children(table) : table}
    </ListStates>
  )
}

const idOf = ({ id }: { readonly id: string }): string => id
