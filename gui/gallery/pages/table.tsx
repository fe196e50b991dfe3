import { type Column, type FewColumns, rowLink, Table } from '../../components/table/table.tsx'
import styles from '../gallery.module.css'
import { Specimen } from '../specimen.tsx'

interface Row {
  readonly id: number
  readonly name: string
  readonly owner: string
}

const columns: FewColumns<Column<Row>> = [
  {
    id: 'name',
    title: 'Name',
    width: 'minmax(120px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    sort: 'name',
    cell: ({ name }) => (
      <a className={rowLink} href="#table">
        {name}
      </a>
    ),
  },
  { id: 'owner', title: 'Created by', width: '140px', sort: 'created_by', cell: ({ owner }) => owner },
  { id: 'size', title: 'Runs', width: '80px', narrow: '56px', align: 'end', cell: ({ id }) => id * 17 },
]

const rows: readonly Row[] = Array.from({ length: 200 }, (_, i) => ({
  id: i + 1,
  name: i === 1 ? 'a-name-that-is-longer-than-its-column-in-a-narrow-window-by-far-and-much-more' : `asset-${i + 1}`,
  owner: ['ann', 'bob', 'carol'][i % 3]!,
}))

export function TablePage() {
  return (
    <>
      <Specimen title="Sorted, more rows than fit">
        <div className={styles['tall']}>
          <Table
            label="Assets"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => String(id)}
            sort="name"
            onSort={() => {}}
            hasMore
            selection={{ selected: new Set(['1', '3']), onChange: () => {}, nameOf: ({ name }) => name }}
          />
        </div>
      </Specimen>
      <Specimen title="Few rows, not sortable">
        <Table label="Templates" columns={columns} rows={rows.slice(0, 2)} keyOf={({ id }) => String(id)} />
      </Specimen>
    </>
  )
}
