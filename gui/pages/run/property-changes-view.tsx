import { useDocument, useList } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { PropertyDifferences } from '../../components/decision/property-differences.tsx'
import { run as texts } from '../../messages/run.ts'
import type { Plan } from './plan.ts'
import { propertyChanges } from './property-changes.ts'
import styles from './run-sheet.module.css'

/** Differences that are listed. */
const most = 20

interface Converged {
  readonly data: Resource<{ readonly data: Readonly<Record<string, unknown>> }>
}

/** How the properties of a plan differ from those of the last run of the action that succeeded; nothing if there was none. */
export function PropertyChanges({
  plan: { parent_path: path, action, converged_properties: properties },
}: {
  plan: Plan
}) {
  const last = useList<'change'>(
    `/api${path}/changes`,
    {
      limit: 1,
      'filter[action_eq]': action,
      'filter[status_code_eq]': 'success',
      'filter[sorts]': 'created_at desc',
      'fields[change]': 'action',
    },
    { enabled: properties !== null },
  )
  const id = last.records[0]?.id
  const before = useDocument<Converged>(`/api/changes/${id}/converged_properties`, undefined, {
    enabled: id !== undefined,
  })
  if (properties === null || !before.data) return null
  const changes = propertyChanges(before.data.data.attributes.data, properties)
  if (changes.length === 0) return <p className={styles['hint']}>{texts.noPropertyChanges}</p>
  return (
    <div className={styles['group']}>
      <h3>{texts.propertyChanges}</h3>
      <PropertyDifferences differences={changes} most={most} />
    </div>
  )
}
