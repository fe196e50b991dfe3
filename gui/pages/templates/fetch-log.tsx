import { useList, useRecord } from '../../api/queries.ts'
import { Unread } from '../../components/state/query-states.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates as texts } from '../../messages/templates.ts'
import styles from './templates-page.module.css'

/** Milliseconds between reads while a fetch is under way. */
const whileFetching = 1_000

/** What Git has printed in the last fetch of a version; it grows while the fetch is under way. */
export function FetchLog({ versionId, isFetching }: { versionId: string; isFetching: boolean }) {
  const every = isFetching ? { every: whileFetching } : {}
  const { records, query } = useList<'event'>(
    '/api/events',
    {
      'filter[source_id_eq]': versionId,
      'filter[type_eq]': 'info:template_version:fetch',
      'filter[sorts]': 'created_at desc',
      limit: 1,
    },
    every,
  )
  if (query.isPending) return <Skeleton rows={3} />
  if (query.isError) return <Unread query={query} />
  const id = records[0]?.id
  return id === undefined ? <p className={styles['soft']}>{texts.notFetched}</p> : <Output event={id} every={every} />
}

function Output({ event, every }: { event: string; every: { readonly every?: number } }) {
  const read = useRecord<'event'>(`/api/events/${event}`, undefined, every)
  if (!read.data) return <Unread query={read} />
  const { created_at: at, progress } = read.data.attributes as typeof read.data.attributes & {
    readonly progress?: string
  }
  return (
    <>
      <p className={styles['soft']}>
        {texts.fetchBegan} <Time at={at} absolute />
      </p>
      {progress ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused.
        <section className={styles['fetchLog']} aria-label={texts.fetchLog} tabIndex={0}>
          {progress}
        </section>
      ) : (
        <p className={styles['soft']}>{texts.nothingPrinted}</p>
      )}
    </>
  )
}
