import { useList } from '../../api/queries.ts'
import type { ColumnsOf } from '../../components/columns/use-columns.ts'
import { NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column } from '../../components/table/table.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import type { Schedule } from './schedule.ts'
import { hasScheduleFilters, type ScheduleSearch, scheduleQuery } from './search.ts'

interface ScheduleListProps {
  readonly search: ScheduleSearch
  readonly columns: ColumnsOf<Column<Schedule>>
  readonly onClear: () => void
}

/** Table of the schedules that match the filters. Next runs are read again every minute. */
export function ScheduleList({ search, columns, onClear }: ScheduleListProps) {
  const list = useList<'scheduled_change'>('/api/scheduled_activities', scheduleQuery(search), {
    every: 60_000,
  })
  useLiveActivities()
  return (
    <ListTable
      list={list}
      label={texts.tableLabel}
      columns={columns}
      lines={2}
      narrowLines={3}
      empty={
        hasScheduleFilters(search) ? (
          <NothingMatches title={texts.nothingMatches} clear={texts.clearFilters} onClear={onClear} />
        ) : (
          <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
            {texts.emptyDetail}
          </EmptyState>
        )
      }
    />
  )
}
