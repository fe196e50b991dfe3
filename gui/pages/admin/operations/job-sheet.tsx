import { useRecord } from '../../../api/queries.ts'
import { isStatus } from '../../../api/query-client.ts'
import type { Job, Resource } from '../../../api/records.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { NodePath } from '../../../components/node-path/node-path.tsx'
import { Loaded } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { Time } from '../../../components/time/time.tsx'
import { jobs as texts } from '../../../messages/operations.ts'
import { every } from '../every.ts'
import styles from '../part.module.css'

/** Details of a background job, with the whole error of its last attempt. */
export function JobSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useRecord<'job'>(`/api/admin/jobs/${id}`, undefined, { every })
  const name = query.data?.attributes.job_class
  return (
    <Dialog open onClose={onClose} kind="sheet" title={texts.title(name ?? '')}>
      {isStatus(query.error, 404) ? (
        <EmptyState title={texts.gone} />
      ) : (
        <Loaded query={query}>{job => <Details job={job} />}</Loaded>
      )}
    </Dialog>
  )
}

function Details({ job: { attributes } }: { job: Resource<Job> }) {
  const { status, last_error: error } = attributes
  return (
    <>
      {error !== null && (
        <section className={styles['stack']} aria-label={texts.error}>
          <h3>{texts.error}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long error scrolls, also by keyboard. */}
          <pre className={styles['error']} tabIndex={0}>
            {error}
          </pre>
        </section>
      )}
      <dl className={styles['details']}>
        <div>
          <dt>{texts.columns.status}</dt>
          <dd className={styles['status']}>
            <StatusIcon status={status} labelled /> {texts.statuses[status]}
          </dd>
        </div>
        <div>
          <dt>{texts.columns.attempts}</dt>
          <dd>{texts.attempts(attributes.attempts, attributes.maximum_attempts)}</dd>
        </div>
        <div>
          <dt>{texts.columns.queue}</dt>
          <dd>{attributes.queue}</dd>
        </div>
        <div>
          <dt>{texts.columns.node}</dt>
          <dd>
            <NodePath path={attributes.node_path} links />
          </dd>
        </div>
        {times.map(([name, text]) => (
          <div key={name}>
            <dt>{text}</dt>
            <dd>
              <Time at={attributes[name]} absolute />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const times = [
  ['created_at', texts.created],
  ['run_at', texts.runAt],
  ['started_at', texts.started],
  ['finished_at', texts.finished],
] as const
