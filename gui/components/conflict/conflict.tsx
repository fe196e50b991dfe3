import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import styles from './conflict.module.css'

interface ConflictProps {
  /** Values that somebody else has saved of the fields that were typed in; none if the others alone have changed. */
  readonly theirs: Readonly<Partial<Record<string, string>>> | undefined
  /** Names of the fields on the screen. */
  readonly labels: Readonly<Record<string, string>>
  readonly onTakeTheirs: () => void
}

/** Notice in a form whose record somebody else has changed: what they saved beside what is typed in the fields. */
export function Conflict({ theirs, labels, onTakeTheirs }: ConflictProps) {
  if (!theirs) return null
  const fields = Object.entries(theirs)
  return (
    <ChangedNotice>
      <p>{fields.length > 0 ? general.changedFields : general.changedElsewhere}</p>
      {fields.length > 0 && (
        <>
          <dl className={styles['values']}>
            {fields.map(([name, value]) => (
              <div key={name}>
                <dt>{general.theirValue(labels[name] ?? name)}</dt>
                <dd>{value === '' ? general.none : value}</dd>
              </div>
            ))}
          </dl>
          <Button size="small" onClick={onTakeTheirs}>
            {general.takeTheirs}
          </Button>
        </>
      )}
    </ChangedNotice>
  )
}

interface ChangedNoticeProps {
  readonly title?: string
  /** What is there now, and what can be done. */
  readonly children: ReactNode
}

/** Scrolls a notice into view: a long form may be at another place. */
const reveal = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' })

/** Notice that a save would replace what somebody else has saved; nothing is written yet. */
export const ChangedNotice = ({ title = general.changedMeanwhile, children }: ChangedNoticeProps) => (
  <div className={styles['conflict']} role="alert" ref={reveal}>
    <TriangleAlert size={17} aria-hidden />
    <div>
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  </div>
)
