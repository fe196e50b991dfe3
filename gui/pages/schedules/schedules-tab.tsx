import { Link } from '@tanstack/react-router'
import { CalendarDays, Plus } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import { buttonClass } from '../../components/button/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { Table } from '../../components/table/table.tsx'
import { schedules as texts } from '../../messages/schedules.ts'
import { nodeType } from '../projects/node.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import { scheduleColumns } from './schedule-columns.tsx'
import styles from './schedules-page.module.css'
import { scheduleQuery } from './search.ts'

/** Schedules of a node and of everything below it. */
export default function SchedulesTab({ node, path }: NodeTabProps) {
  const { records, query } = useList<'scheduled_change'>('/api/scheduled_activities', scheduleQuery({ under: path }), {
    every: 60_000,
  })
  if (query.isPending) return <Skeleton rows={6} />
  if (query.isError && records.length === 0)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className={styles['stack']}>
      <div className={styles['bar']}>
        <Link to="/schedules" search={{ under: path, schedule: 'new' }} className={buttonClass({})}>
          <Plus size={16} aria-hidden />
          {texts.create}
        </Link>
        <Link to="/schedules" search={{ under: path }} className={buttonClass({ variant: 'quiet' })}>
          <CalendarDays size={16} aria-hidden />
          {texts.showAll}
        </Link>
      </div>
      {records.length === 0 ? (
        <EmptyState title={texts.emptyTitle} command={texts.emptyCommandOf(path)}>
          {texts.emptyDetail}
        </EmptyState>
      ) : (
        <div className={styles['tabTable']}>
          <Table
            label={texts.tableLabel}
            columns={scheduleColumns.filter(({ id }) => nodeType(node) !== 'asset' || id !== 'where')}
            rows={records}
            keyOf={({ id }) => id}
            lines={2}
            narrowLines={3}
            hasMore={query.hasNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        </div>
      )}
    </div>
  )
}
