import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import { StatusIcon, statusWord } from '../../components/status/status.tsx'
import { aboveRowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { workflows as texts } from '../../messages/workflows.ts'
import { recentRunsQuery, runQuery } from './run-query.ts'
import styles from './workflows-page.module.css'

/**
 * Newest run of a workflow with its status: from the newest runs of all workflows, which all rows share, and else by a
 * request of its own.
 */
export function LastRun({ project, code }: { project: string; code: string }) {
  const recent = useList<'activity'>('/api/activities', recentRunsQuery)
  const found = recent.records.find(
    ({ attributes: { path, workflow_code } }) => path === `/projects/${project}` && workflow_code === code,
  )
  const own = useList<'activity'>(
    '/api/activities',
    { ...runQuery(project, code), limit: 1, 'fields[activity]': 'path,workflow_code,status_code,created_at' },
    { enabled: recent.query.isSuccess && recent.query.hasNextPage && !found },
  )
  const run = found ?? own.records[0]
  if (!run) return <span className={styles['soft']}>{isKnown(recent, own) && texts.neverRun}</span>
  return (
    <Link to="/activities/$id" params={{ id: run.id }} className={`${aboveRowLink} ${styles['lastRun']}`}>
      <StatusIcon status={run.attributes.status_code} labelled />
      <span className="visually-hidden">{statusWord(run.attributes.status_code)}</span>
      <Time at={run.attributes.created_at} />
    </Link>
  )
}

type Answer = Pick<ReturnType<typeof useList>, 'query'>

const isKnown = (recent: Answer, own: Answer): boolean =>
  recent.query.isSuccess && (!recent.query.hasNextPage || own.query.isSuccess)
