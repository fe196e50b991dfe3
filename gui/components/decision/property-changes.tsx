import { Link } from '@tanstack/react-router'
import { useDocument } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Resource } from '../../api/records.ts'
import { decision as texts } from '../../messages/decision.ts'
import { Button } from '../button/button.tsx'
import styles from './decision.module.css'
import { nameOfPointer } from './property-difference.ts'
import { PropertyDifferences } from './property-differences.tsx'

/** Answer of `GET /api/changes/{id}/property_changes`. */
interface PropertyChangesDocument {
  readonly data: Resource<{
    readonly compared_with: { readonly id: string; readonly finished_at: string } | null
    readonly differences: readonly { readonly pointer: string; readonly before?: unknown; readonly after?: unknown }[]
    readonly difference_count: number
  }>
}

interface PropertyChangesProps {
  readonly changeId: string
  /** Number of properties that are listed. */
  readonly most: number
  /** Whether links open another window, so that a dialog keeps what was typed. */
  readonly inDialog?: boolean
  /** Whether to read them now. */
  readonly enabled?: boolean
}

/** How the properties of a change differ from those of the last such change that succeeded, as far as the user may read them. */
export function PropertyChanges({ changeId, most, inDialog = false, enabled = true }: PropertyChangesProps) {
  const { data, error, refetch } = useDocument<PropertyChangesDocument>(
    `/api/changes/${changeId}/property_changes`,
    undefined,
    { enabled },
  )
  if (error && isStatus(error, 403, 404)) return <p className={styles['note']}>{texts.propertiesHidden}</p>
  if (error && isStatus(error, 409)) return <p className={styles['note']}>{texts.propertiesUnknown}</p>
  if (error)
    return (
      <p className={styles['note']}>
        {texts.propertiesNotRead}{' '}
        <Button size="small" variant="quiet" onClick={() => void refetch()}>
          {texts.readAgain}
        </Button>
      </p>
    )
  if (!data) return <p className={styles['note']}>{texts.comparing}</p>
  const { compared_with: other, differences, difference_count: count } = data.data.attributes
  if (!other) return <p className={styles['note']}>{texts.nothingToCompare}</p>
  const last = (
    <Link to="/activities/$id" params={{ id: other.id }} {...(inDialog && { target: '_blank' })}>
      {texts.lastSuccess}
    </Link>
  )
  if (count === 0)
    return (
      <p className={styles['note']}>
        {texts.sameProperties} {last}.
      </p>
    )
  return (
    <div className={styles['changes']}>
      <p className={styles['note']}>
        {texts.differentProperties(count)} {last}:
      </p>
      <PropertyDifferences
        differences={differences.map(({ pointer, before, after }) => ({ name: nameOfPointer(pointer), before, after }))}
        most={most}
        count={count}
      />
    </div>
  )
}
