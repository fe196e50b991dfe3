import { Link } from '@tanstack/react-router'
import { CalendarDays, Plus } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import { Button, buttonClass } from '../../components/button/button.tsx'
import { ColumnsButton } from '../../components/columns/columns-button.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { schedules as texts } from '../../messages/schedules.ts'
import { nodeType } from '../projects/node.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import { whyNotSchedule } from '../projects/why-not.ts'
import { allScheduleColumns } from './schedule-columns.tsx'
import styles from './schedules-page.module.css'
import { scheduleQuery } from './search.ts'

/** Schedules of a node and of everything below it. */
export default function SchedulesTab({ node, path }: NodeTabProps) {
  const whyNot = whyNotSchedule(node)
  const list = useList<'scheduled_change'>('/api/scheduled_activities', scheduleQuery({ under: path }), {
    every: 60_000,
  })
  const columns = useColumns(
    'node_schedules',
    allScheduleColumns.filter(({ id }) => nodeType(node) !== 'asset' || id !== 'where'),
  )
  return (
    <div className={styles['stack']}>
      <div className={styles['bar']}>
        {whyNot === undefined ? (
          <Link to="/schedules" search={{ under: path, schedule: 'new' }} className={buttonClass({})}>
            <Plus size={16} aria-hidden />
            {texts.create}
          </Link>
        ) : (
          <Button disabledReason={whyNot}>
            <Plus size={16} aria-hidden />
            {texts.create}
          </Button>
        )}
        <Link to="/schedules" search={{ under: path }} className={buttonClass({ variant: 'quiet' })}>
          <CalendarDays size={16} aria-hidden />
          {texts.showAll}
        </Link>
        {list.records.length > 0 && (
          <span className={styles['end']}>
            <ColumnsButton columns={columns} />
          </span>
        )}
      </div>
      <ListTable
        list={list}
        label={texts.tableLabel}
        columns={columns}
        lines={2}
        narrowLines={3}
        skeleton={6}
        empty={
          <EmptyState title={texts.emptyTitle} command={texts.emptyCommandOf(path)}>
            {texts.emptyDetail}
          </EmptyState>
        }
      >
        {table => <div className={styles['tabTable']}>{table}</div>}
      </ListTable>
    </div>
  )
}
