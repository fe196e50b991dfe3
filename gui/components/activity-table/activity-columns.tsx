import { Link } from '@tanstack/react-router'
import type { Activity, Resource } from '../../api/records.ts'
import { activities as texts } from '../../messages/activities.ts'
import { Tag } from '../chip/chip.tsx'
import { NodePath } from '../node-path/node-path.tsx'
import { StatusBadge, StatusIcon } from '../status/status.tsx'
import { aboveRowLink, type Column, rowLink } from '../table/table.tsx'
import { Duration, Time } from '../time/time.tsx'
import styles from './activity-table.module.css'

type Row = Resource<Activity>

/** Column with the status: a badge, and in narrow windows its icon alone. */
export const statusColumn: Column<Row> = {
  id: 'status',
  name: texts.columns.status,
  title: <span className="seen-wide">{texts.columns.status}</span>,
  width: '172px',
  narrow: '24px',
  cell: ({ attributes: { status_code: status } }) => (
    <>
      <span className="only-wide">
        <StatusBadge status={status} />
      </span>
      <span className="only-narrow">
        <StatusIcon status={status} />
      </span>
    </>
  ),
}

const timeColumn = (id: 'started' | 'finished' | 'updated'): Column<Row> => ({
  id,
  isExtra: true,
  title: texts.columns[id],
  width: '132px',
  sort: `${id}_at`,
  cell: ({ attributes }) => (
    <span className={styles['soft']}>
      <Time at={attributes[`${id}_at`]} />
    </span>
  ),
})

/** Columns of tables of changes and workflow runs. */
export const activityColumns: readonly Column<Row>[] = [
  statusColumn,
  {
    id: 'action',
    isFixed: true,
    title: texts.columns.action,
    width: 'minmax(140px, 1.2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, attributes }) => (
      <>
        <span className={styles['name']}>
          <Link to="/activities/$id" params={{ id }} className={rowLink}>
            {attributes.action ?? attributes.workflow_code}
          </Link>
          {attributes.type === 'workflow_run' && <Tag>{texts.workflowRun}</Tag>}
          {attributes.scheduled && <Tag>{texts.scheduled}</Tag>}
          {tags(attributes.metadata).map(each => (
            <Tag key={each}>{each}</Tag>
          ))}
        </span>
        <span className={`only-narrow ${styles['below']}`}>
          <NodePath path={attributes.path} line />
        </span>
      </>
    ),
  },
  {
    id: 'target',
    title: texts.columns.target,
    width: 'minmax(160px, 1.6fr)',
    cell: ({ attributes }) => (
      <span className={aboveRowLink}>
        <NodePath path={attributes.path} links line />
      </span>
    ),
  },
  {
    id: 'user',
    title: texts.columns.user,
    width: 'minmax(80px, 0.6fr)',
    cell: ({ attributes }) => attributes.created_by,
  },
  {
    id: 'created',
    title: texts.columns.created,
    width: '132px',
    narrow: '104px',
    sort: 'created_at',
    cell: ({ attributes }) => (
      <span className={styles['soft']}>
        <Time at={attributes.created_at} />
      </span>
    ),
  },
  {
    id: 'duration',
    title: texts.columns.duration,
    width: '96px',
    align: 'end',
    cell: ({ attributes: { started_at: from, finished_at: to } }) => <Duration from={from} to={to} />,
  },
]

/** Those, and columns that are only shown to those who choose them. */
export const allActivityColumns: readonly Column<Row>[] = [
  ...activityColumns,
  timeColumn('started'),
  timeColumn('finished'),
  timeColumn('updated'),
  {
    id: 'error',
    isExtra: true,
    title: texts.columns.error,
    width: 'minmax(140px, 1.6fr)',
    cell: ({ attributes: { error_message: error } }) => error && <span title={error}>{error}</span>,
  },
]

/** Short values of the metadata, such as a ticket number. */
const tags = (metadata: unknown): string[] =>
  typeof metadata === 'object' && metadata !== null
    ? Object.values(metadata)
        .filter((each): each is string => typeof each === 'string' && each.length <= 24)
        .slice(0, 2)
    : []
