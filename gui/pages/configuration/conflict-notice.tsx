import { TriangleAlert } from 'lucide-react'
import { Button } from '../../components/button/button.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import type { OwnRecord } from './own-record.ts'

interface ConflictNoticeProps {
  /** The version that was saved elsewhere. */
  readonly record: OwnRecord
  /** Text of the button that goes on with the own text, and what it does. */
  readonly action?: string
  readonly detail?: string
  readonly onCompare: () => void
  readonly onDiscard: () => void
}

/** Notice that another version was saved while the text was edited. */
export function ConflictNotice(props: ConflictNoticeProps) {
  const { record, action = texts.compare, detail = texts.conflictDetail, onCompare, onDiscard } = props
  const { created_by: user, version } = record.attributes
  return (
    <div className={styles['conflict']} role="alert">
      <TriangleAlert size={17} aria-hidden />
      <div>
        <p className={styles['strong']}>{texts.conflict(user, version)}</p>
        <p>{detail}</p>
      </div>
      <div className={styles['buttons']}>
        <Button size="small" onClick={onCompare}>
          {action}
        </Button>
        <Button size="small" variant="danger" onClick={onDiscard}>
          {texts.discardMine}
        </Button>
      </div>
    </div>
  )
}
