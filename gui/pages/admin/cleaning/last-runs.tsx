import { useList } from '../../../api/queries.ts'
import type { Event, Resource } from '../../../api/records.ts'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates } from '../../../components/state/query-states.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { Time } from '../../../components/time/time.tsx'
import { cleaning as texts } from '../../../messages/cleaning.ts'
import { every } from '../every.ts'
import styles from '../part.module.css'
import { countText, type Kind } from './rule.ts'

/** Last runs of retention rules that deleted something or failed, from their events. */
export function LastRuns() {
  const { records, query } = useList<'event'>(
    '/api/events',
    { 'filter[type_cont]': ':data_cleanup:', 'filter[sorts]': 'created_at desc', limit: 10 },
    { every },
  )
  return (
    <Panel title={texts.runs} flush>
      <ListStates
        query={query}
        count={records.length}
        skeleton={3}
        empty={<p className={styles['none']}>{texts.noRuns}</p>}
      >
        <ul className={styles['rows']} aria-label={texts.runsHint}>
          {records.map(event => (
            <Run key={event.id} event={event} />
          ))}
        </ul>
      </ListStates>
    </Panel>
  )
}

function Run({ event: { attributes } }: { event: Resource<Event> }) {
  const [level, , kind] = attributes.type.split(':') as [string, string, Kind]
  const { name, removed_count: removed, failed_count: failed, error } = attributes
  const hasFailed = level === 'error'
  const count = countText(Number((hasFailed ? failed : removed) ?? 0))
  return (
    <li>
      <StatusIcon status={hasFailed ? 'error' : 'success'} />
      <div className={styles['grow']}>
        <strong>{String(name ?? '')}</strong>{' '}
        {hasFailed ? texts.runFailed(count, texts.kinds[kind]) : texts.runDeleted(count, texts.kinds[kind])}
        {typeof error === 'string' && <p className={styles['failed']}>{error}</p>}
      </div>
      <Time at={attributes.created_at} />
    </li>
  )
}
