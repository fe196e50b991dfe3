import { useList } from '../../../api/queries.ts'
import type { Resource, Site } from '../../../api/records.ts'
import { ListStates } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import type { FewColumns } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time/time.tsx'
import { sites as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import { type FactColumn, FactTable } from '../fact-table.tsx'

/** Sites with the number of their processes and runners. */
export default function SitesPart() {
  const { records, query } = useList<'site'>('/api/admin/sites', {}, { every })
  return (
    <ListStates query={query} count={records.length} empty={<EmptyState title={texts.none} />}>
      <FactTable label={texts.label} columns={columns} rows={records} keyOf={({ id }) => id} />
    </ListStates>
  )
}

const columns: FewColumns<FactColumn<Resource<Site>>> = [
  { id: 'code', title: texts.columns.code, cell: ({ attributes }) => <strong>{attributes.code}</strong> },
  {
    id: 'processes',
    title: texts.columns.processes,
    about: texts.about.processes,
    cell: ({ attributes }) => attributes.processes,
  },
  {
    id: 'runners',
    title: texts.columns.runners,
    about: texts.about.runners,
    cell: ({ attributes }) => attributes.runners,
  },
  {
    id: 'since',
    title: texts.columns.since,
    about: texts.about.since,
    cell: ({ attributes }) => <Time at={attributes.created_at} />,
  },
]
