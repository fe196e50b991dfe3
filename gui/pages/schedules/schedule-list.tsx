import type { ReactNode } from 'react'
import { useList } from '../../api/queries.ts'
import type { ColumnsOf } from '../../components/columns/use-columns.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import type { Changes } from '../../components/filter/filters-in-force.ts'
import { ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Column } from '../../components/table/table.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { filterWords } from './filter-words.ts'
import type { Schedule } from './schedule.ts'
import { hasScheduleFilters, type ScheduleSearch, scheduleQuery } from './search.ts'

interface ScheduleListProps {
  readonly search: ScheduleSearch
  readonly filters: ReactNode
  readonly columns: ColumnsOf<Column<Schedule>>
  readonly onChange: (more: Changes<ScheduleSearch>) => void
  readonly onClear: () => void
}

const path = '/api/scheduled_activities'

/** Filters of schedules and the table of those that match. Next runs are read again every minute. */
export function ScheduleList({ search, filters, columns, onChange, onClear }: ScheduleListProps) {
  const list = useList<'scheduled_change'>(path, scheduleQuery(search), {
    every: 60_000,
  })
  useLiveActivities()
  return (
    <ListFrame
      filters={filters}
      row={
        <FilterRow
          list={list}
          path={path}
          query={scheduleQuery(search)}
          noun={texts.noun}
          search={search}
          words={filterWords}
          onChange={onChange}
          onClear={onClear}
        />
      }
    >
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
    </ListFrame>
  )
}
