import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import { allActivityColumns } from '../../components/activity-table/activity-columns.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListControls } from '../../components/list/list-controls.tsx'
import { ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import type { Selected } from '../../components/table/selected.ts'
import { useLiveActivities } from '../../live/live-activities.ts'
import { activities as texts } from '../../messages/activities.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { nameOf, type Row } from './bulk-action.ts'
import { filterWords } from './filter-words.ts'
import {
  type ActivityChanges,
  activityQuery,
  activityState,
  defaultSort,
  hasFilters,
  readActivitySearch,
} from './search.ts'
import { SelectionBar } from './selection-bar.tsx'

/** Table of changes and workflow runs; filters and sorting stand in the address, and live streams keep it current. */
export function ActivitiesPage() {
  const search = useSearch({ from: '/activities' })
  const navigate = useNavigate({ from: '/activities' })
  const list = useList<'activity'>('/api/activities', activityQuery(search))
  useLiveActivities()
  const columns = useColumns('activities', allActivityColumns)
  const [selected, setSelected] = useState<Selected>(new Set())
  const clear = () =>
    void navigate({ search: { ...readActivitySearch({ sort: search.sort, columns: search.columns }) }, replace: true })
  const change = (more: ActivityChanges) =>
    void navigate({ search: { ...readActivitySearch({ ...search, ...more }) }, replace: true })

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      commands={[listCommand('activities', activityQuery(search))]}
      actions={
        <ListControls
          list="activities"
          columns={columns}
          state={activityState(search)}
          read={state => activityState(readActivitySearch(state))}
          saved={search.saved}
          onOpen={(state, saved) => void navigate({ search: { ...readActivitySearch({ ...state, saved }) } })}
        />
      }
      fill
    >
      <ListFrame
        filters={<ActivityFilters search={search} rows={list.records} onChange={change} />}
        row={
          <FilterRow
            list={list}
            path="/api/activities"
            query={activityQuery(search)}
            noun={texts.noun}
            search={search}
            words={filterWords}
            onChange={change}
            onClear={clear}
          />
        }
      >
        <ListTable
          list={list}
          label={texts.tableLabel}
          columns={columns}
          narrowLines={2}
          sort={search.sort ?? defaultSort}
          onSort={sort => change({ sort })}
          selection={{ selected, onChange: setSelected, nameOf: nameInRow }}
          skeleton={10}
          empty={
            hasFilters(search) ? (
              <NothingMatches title={texts.nothingMatches} clear={texts.clearFilters} onClear={clear} />
            ) : (
              <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
                {texts.emptyDetail}
              </EmptyState>
            )
          }
        />
        <SelectionBar
          rows={list.records.filter(({ id }) => selected.has(id))}
          onSelect={ids => setSelected(new Set(ids))}
        />
      </ListFrame>
    </Page>
  )
}

const nameInRow = (row: Row): string => `${nameOf(row)}, ${row.attributes.path}`
