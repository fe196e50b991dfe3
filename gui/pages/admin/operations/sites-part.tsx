import { useList } from '../../../api/queries.ts'
import type { Resource, Site } from '../../../api/records.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../components/state/state.tsx'
import { Time } from '../../../components/time/time.tsx'
import { sites as texts } from '../../../messages/operations.ts'
import { type FactColumn, FactTable } from '../fact-table.tsx'
import { every } from '../loaded.tsx'

/** Sites with the number of their processes and runners. */
export default function SitesPart() {
  const { records, query } = useList<'site'>('/api/admin/sites', {}, { every })
  if (query.isPending) return <Skeleton />
  if (query.isError && records.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (records.length === 0) return <EmptyState title={texts.none} />
  return <FactTable label={texts.label} columns={columns} rows={records} keyOf={({ id }) => id} />
}

const columns: readonly FactColumn<Resource<Site>>[] = [
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
