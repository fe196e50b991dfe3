import { Link } from '@tanstack/react-router'
import type { Job, Resource } from '../../../api/records.ts'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { aboveRowLink, type Column, rowLink } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time/time.tsx'
import { jobs as texts } from '../../../messages/operations.ts'
import { Explained } from '../explained.tsx'
import styles from '../part.module.css'

/** Columns of the table of background jobs. */
export const jobColumns: readonly Column<Resource<Job>>[] = [
  {
    id: 'status',
    name: texts.columns.status,
    title: <span className="seen-wide">{texts.columns.status}</span>,
    width: '104px',
    narrow: '24px',
    cell: ({ attributes: { status } }) => (
      <span className={styles['status']}>
        <StatusIcon status={status} labelled />
        <span className="seen-wide">{texts.statuses[status]}</span>
      </span>
    ),
  },
  {
    id: 'job',
    isFixed: true,
    title: texts.columns.job,
    width: 'minmax(160px, 1.4fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, attributes }) => (
      <>
        <Link
          to="/admin/$part"
          params={{ part: 'jobs' }}
          search={before => ({ ...before, show: id })}
          className={rowLink}
        >
          {attributes.job_class}
        </Link>
        {attributes.last_error !== null && <span className={styles['errorLine']}>{attributes.last_error}</span>}
      </>
    ),
  },
  {
    id: 'node',
    title: texts.columns.node,
    width: 'minmax(120px, 1fr)',
    cell: ({ attributes }) => (
      <span className={aboveRowLink}>
        <NodePath path={attributes.node_path} links line />
      </span>
    ),
  },
  {
    id: 'queue',
    name: texts.columns.queue,
    title: <Explained text={texts.columns.queue} about={texts.about.queue} />,
    width: 'minmax(80px, 0.8fr)',
    cell: ({ attributes }) => <span title={attributes.queue}>{attributes.queue}</span>,
  },
  {
    id: 'attempts',
    name: texts.columns.attempts,
    title: <Explained text={texts.columns.attempts} about={texts.about.attempts} />,
    width: '88px',
    align: 'end',
    cell: ({ attributes }) => texts.attempts(attributes.attempts, attributes.maximum_attempts),
  },
  {
    id: 'time',
    name: texts.columns.time,
    title: <Explained text={texts.columns.time} about={texts.about.time} />,
    width: '132px',
    narrow: '104px',
    cell: ({ attributes: { finished_at: ended, started_at: began, run_at: due, status } }) => (
      <Time at={ended ?? (status === 'running' ? began : due)} />
    ),
  },
]
