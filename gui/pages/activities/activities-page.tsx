import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import { activityColumns } from '../../components/activity-table/activity-columns.tsx'
import { Button } from '../../components/button/button.tsx'
import { Chip } from '../../components/chip/chip.tsx'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { Table } from '../../components/table/table.tsx'
import { timeOfDay } from '../../components/time/format.ts'
import { useLiveActivities } from '../../live/live-activities.ts'
import { activities as texts } from '../../messages/activities.ts'
import { statusWords } from '../../messages/general.ts'
import styles from './activities-page.module.css'
import {
  type ActivityChanges,
  type ActivitySearch,
  activityQuery,
  defaultSort,
  hasFilters,
  readActivitySearch,
} from './search.ts'

/** Table of changes and workflow runs; filters and sorting stand in the address, and live streams keep it current. */
export function ActivitiesPage() {
  const search = useSearch({ from: '/activities' })
  const navigate = useNavigate({ from: '/activities' })
  const { records, query } = useList<'activity'>('/api/activities', activityQuery(search))
  const connection = useLiveActivities()
  const change = (more: ActivityChanges) =>
    void navigate({ search: { ...readActivitySearch({ ...search, ...more }) }, replace: true })

  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={
        connection && 'lostSince' in connection ? (
          <span className={styles['stale']}>{texts.stale(timeOfDay(connection.lostSince))}</span>
        ) : (
          texts.subtitle
        )
      }
      commands={[listCommand('activities', activityQuery(search))]}
      fill
    >
      <div className={styles['content']}>
        <Filters search={search} onChange={change} />
        {query.isPending ? (
          <Skeleton rows={10} />
        ) : query.isError && records.length === 0 ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : records.length === 0 ? (
          <Nothing search={search} onClear={() => void navigate({ search: {}, replace: true })} />
        ) : (
          <Table
            label={texts.tableLabel}
            columns={activityColumns}
            rows={records}
            keyOf={({ id }) => id}
            narrowLines={2}
            sort={search.sort ?? defaultSort}
            onSort={sort => change({ sort })}
            hasMore={query.hasNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </div>
    </Page>
  )
}

const usualStatuses = ['running', 'waiting_for_approval', 'success', 'error']

function Filters({ search, onChange }: { search: ActivitySearch; onChange: (more: ActivityChanges) => void }) {
  const chosen = search.status ?? []
  const [showsAll, setShowsAll] = useState(chosen.some(each => !usualStatuses.includes(each)))
  const [path, setPath] = useDebounced(search.path ?? '', value => onChange({ path: value }))
  const toggle = (status: string) => {
    onChange({ status: chosen.includes(status) ? chosen.filter(each => each !== status) : [...chosen, status] })
  }
  return (
    <div className={styles['filters']}>
      <SearchField label={texts.pathFilter} value={path} onChange={setPath} />
      <Chip pressed={search.active === true} onPress={() => onChange({ active: search.active ? undefined : true })}>
        {texts.active}
      </Chip>
      <Chip pressed={search.mine === true} onPress={() => onChange({ mine: search.mine ? undefined : true })}>
        {texts.mine}
      </Chip>
      <Chip pressed={search.waiting === true} onPress={() => onChange({ waiting: search.waiting ? undefined : true })}>
        {texts.waitingForMe}
      </Chip>
      <span className={styles['divider']} aria-hidden />
      {(showsAll ? Object.keys(statusWords) : usualStatuses).map(status => (
        <Chip key={status} pressed={chosen.includes(status)} onPress={() => toggle(status)}>
          <StatusIcon status={status} size={14} labelled />
          {statusWord(status)}
        </Chip>
      ))}
      <Button variant="quiet" size="small" onClick={() => setShowsAll(!showsAll)}>
        {showsAll ? texts.fewerStatuses : texts.moreStatuses}
      </Button>
    </div>
  )
}

function Nothing({ search, onClear }: { search: ActivitySearch; onClear: () => void }) {
  if (!hasFilters(search))
    return (
      <EmptyState title={texts.emptyTitle} command={texts.emptyCommand}>
        {texts.emptyDetail}
      </EmptyState>
    )
  return (
    <EmptyState title={texts.nothingMatches}>
      <Button onClick={onClear}>{texts.clearFilters}</Button>
    </EmptyState>
  )
}
