import { useDocument } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Event } from '../../api/records.ts'
import { Diff } from '../../components/diff/diff.tsx'
import { ErrorState, Skeleton } from '../../components/state/state.tsx'
import { audit as texts } from '../../messages/audit.ts'
import styles from './audit-page.module.css'

interface VersionDocument {
  readonly data: { readonly attributes: { readonly data: unknown } }
}

/** Before and after of a document whose new version an event records; nothing for other events. */
export function EventChanges({ attributes }: { attributes: Event }) {
  const { type, source_type: source, source_id: id } = attributes
  const version = attributes['version']
  const isVersioned = type === 'api:properties:update' || type === 'api:settings:update'
  if (!isVersioned || typeof version !== 'number' || !source || !id) return null
  return <VersionChanges document={`/api/${source}/${id}`} version={version} />
}

function VersionChanges({ document, version }: { document: string; version: number }) {
  const after = useDocument<VersionDocument>(`${document}/versions/${version}`)
  const before = useDocument<VersionDocument>(`${document}/versions/${version - 1}`, undefined, {
    enabled: version > 1,
  })
  const failed = [after, before].find(({ isError }) => isError)
  const isPending = after.isPending || (version > 1 && before.isPending)
  return (
    <section className={styles['section']}>
      <h3>{texts.sections.changes}</h3>
      {failed ? (
        isStatus(failed.error, 403, 404) ? (
          <p className={styles['soft']}>{texts.versionsHidden}</p>
        ) : (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        )
      ) : isPending ? (
        <Skeleton rows={4} />
      ) : (
        <Diff
          before={documentText(before.data)}
          after={documentText(after.data)}
          beforeLabel={texts.version(version - 1)}
          afterLabel={texts.version(version)}
          language="json"
          layout="unified"
        />
      )}
    </section>
  )
}

const documentText = (version: VersionDocument | undefined): string =>
  version === undefined ? '' : JSON.stringify(version.data.attributes.data, undefined, 2)
