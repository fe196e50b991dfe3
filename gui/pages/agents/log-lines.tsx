import { useMemo } from 'react'
import { useList } from '../../api/queries.ts'
import type { Query } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { agents as texts } from '../../messages/agents.ts'
import styles from './agents.module.css'

interface LogLinesProps {
  /** List of the API. */
  readonly path: string
  readonly query?: Query
  /** Name of the log for screen readers. */
  readonly label: string
  readonly empty: string
  /** Milliseconds between reads while lines may be added. */
  readonly every?: number | undefined
}

/** Newest lines of the log of an agent or of a background task, with earlier ones on demand. */
export function LogLines({ path, query: more, label, empty, every }: LogLinesProps) {
  const { records, query } = useList<'agent_log_line' | 'node_background_task_log_line'>(
    path,
    { limit: 200, 'filter[sorts]': 'logged_at desc', ...more },
    every === undefined ? {} : { every },
  )
  const lines = useMemo(() => records.toReversed(), [records])
  return (
    <ListStates query={query} count={lines.length} skeleton={3} empty={<p className={styles['soft']}>{empty}</p>}>
      {query.hasNextPage && (
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.earlier}
        </Button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused. */}
      <section aria-label={label} className={styles['lines']} tabIndex={0}>
        <ol>
          {lines.map(({ id, attributes: { message, category, logged_at: at } }) => (
            <li key={id} className={category === 'stderr' ? styles['isError'] : undefined}>
              <Time at={at} absolute />
              <span>{message}</span>
            </li>
          ))}
        </ol>
      </section>
    </ListStates>
  )
}
