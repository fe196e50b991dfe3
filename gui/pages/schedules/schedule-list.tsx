import { useList } from '../../api/queries.ts'
import { Button } from '../../components/button/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { Table } from '../../components/table/table.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { scheduleColumns } from './schedule-columns.tsx'
import { hasScheduleFilters, type ScheduleSearch, scheduleQuery } from './search.ts'

interface ScheduleListProps {
  readonly search: ScheduleSearch
  readonly onClear: () => void
}

/** Table of the schedules that match the filters. Next runs are read again every minute. */
export function ScheduleList({ search, onClear }: ScheduleListProps) {
  const { records, query } = useList<'scheduled_change'>('/api/scheduled_activities', scheduleQuery(search), {
    every: 60_000,
  })
  useLiveActivities()
  if (query.isPending) return <Skeleton rows={8} />
  if (query.isError && records.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (records.length === 0)
    return hasScheduleFilters(search) ? (
      <EmptyState title={texts.nothingMatches}>
        <Button onClick={onClear}>{texts.clearFilters}</Button>
      </EmptyState>
    ) : (
      <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
        {texts.emptyDetail}
      </EmptyState>
    )
  return (
    <Table
      label={texts.tableLabel}
      columns={scheduleColumns}
      rows={records}
      keyOf={({ id }) => id}
      lines={2}
      narrowLines={3}
      hasMore={query.hasNextPage}
      onMore={() => void query.fetchNextPage()}
    />
  )
}
