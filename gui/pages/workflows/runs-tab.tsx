import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import type { Activity, Resource } from '../../api/records.ts'
import { statusColumn } from '../../components/activity-table/activity-columns.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { ListWithColumns } from '../../components/list/list-with-columns.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { type Column, rowLink } from '../../components/table/table.tsx'
import { dateTime } from '../../components/time/format.ts'
import { Duration, Time } from '../../components/time/time.tsx'
import { useLiveActivities } from '../../live/live-activities.ts'
import { activities } from '../../messages/activities.ts'
import { workflowRuns as texts, workflows } from '../../messages/workflows.ts'
import { runQuery } from './run-query.ts'
import styles from './workflow-page.module.css'

/** Runs of one workflow, the newest first; live. */
export function RunsTab({ project, code }: { project: string; code: string }) {
  const list = useList<'activity'>('/api/activities', { ...runQuery(project, code), limit: 100 })
  useLiveActivities()
  const columns = useColumns('workflow_runs', runColumns)
  return (
    <ListTable
      list={list}
      label={texts.tableLabel}
      columns={columns}
      skeleton={6}
      empty={
        <EmptyState title={texts.emptyTitle} command={texts.emptyCommand(project, code)}>
          {texts.emptyDetail}
        </EmptyState>
      }
    >
      {table => (
        <ListWithColumns columns={columns}>
          <div className={styles['runs']}>{table}</div>
        </ListWithColumns>
      )}
    </ListTable>
  )
}

const runColumns: readonly Column<Resource<Activity>>[] = [
  statusColumn,
  {
    id: 'created',
    isFixed: true,
    title: activities.columns.created,
    width: 'minmax(180px, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, attributes: { created_at: at, scheduled } }) => (
      <span className={styles['run']}>
        <Link to="/activities/$id" params={{ id }} className={rowLink}>
          {dateTime(at)}
        </Link>
        {scheduled && <Tag>{activities.scheduled}</Tag>}
      </span>
    ),
  },
  {
    id: 'version',
    title: workflows.columns.version,
    width: '88px',
    narrow: '48px',
    cell: ({ attributes: { revision } }) => revision !== null && workflows.version(Number(revision)),
  },
  { id: 'user', title: activities.columns.user, width: 'minmax(80px, 0.8fr)', cell: row => row.attributes.created_by },
  {
    id: 'age',
    name: texts.age,
    title: <span className="visually-hidden">{activities.columns.created}</span>,
    width: '132px',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.created_at} />
      </span>
    ),
  },
  {
    id: 'duration',
    title: activities.columns.duration,
    width: '96px',
    align: 'end',
    cell: ({ attributes: { started_at: from, finished_at: to } }) => <Duration from={from} to={to} />,
  },
]
