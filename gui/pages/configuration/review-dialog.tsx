import { useMemo } from 'react'
import { isStatus } from '../../api/query-client.ts'
import { Button } from '../../components/button/button.tsx'
import { ChangedNotice } from '../../components/conflict/conflict.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { faultText } from '../../components/state/state.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { general } from '../../messages/general.ts'
import styles from './configuration.module.css'
import type { Data } from './data.ts'
import { ImpactView } from './impact-view.tsx'
import { countChanges } from './leaves.ts'
import { useDocumentText } from './use-document-text.ts'

interface ReviewDialogProps {
  readonly title: string
  /** Text of the button that saves. */
  readonly action: string
  /** Path of the record in the API. */
  readonly own: string
  /** Version that is replaced, with its document `before`. */
  readonly version: number
  readonly before: Data
  readonly after: Data
  /** Why nothing was saved: another version has been saved meanwhile, with which the document is compared now. */
  readonly conflict?: string
  readonly busy: boolean
  readonly error: unknown
  /** Called with the error if the service refuses the document. */
  readonly onRefused?: (error: unknown) => void
  /** Called if another version has been saved meanwhile; without it, the impact is missing until saving shows that version. */
  readonly onStale?: () => Promise<void>
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Dialog before a document is saved: which nodes change, and how the document differs. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, action, own, version, before, after, conflict, busy, error, onRefused, onStale, onSave, onClose } =
    props
  const [old, now] = [useDocumentText(before, 'yaml'), useDocumentText(after, 'yaml')]
  const counts = useMemo(() => countChanges(before, after), [before, after])
  return (
    <Dialog
      open
      kind="sheet"
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button variant="primary" busy={busy} onClick={onSave}>
            {action}
          </Button>
        </>
      }
    >
      {conflict !== undefined && (
        <ChangedNotice>
          <p>{conflict}</p>
        </ChangedNotice>
      )}
      {error !== null && error !== undefined && !isStatus(error, 409, 412) && (
        <p role="alert" className={styles['error']}>
          {faultText(error)}
        </p>
      )}
      <ImpactView own={own} version={version} data={after} onRefused={onRefused} onStale={onStale} />
      <section className={styles['section']}>
        <h3>
          {texts.changes}
          <span className={styles['soft']}> {texts.changeCounts(counts)}</span>
        </h3>
        {old !== undefined && now !== undefined && (
          <Diff
            before={old}
            after={now}
            beforeLabel={texts.current}
            afterLabel={texts.afterSaving}
            language="yaml"
            layout="unified"
          />
        )}
      </section>
    </Dialog>
  )
}
