import { Check, CircleMinus, CircleX, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button/button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { faultText } from '../../components/state/state.tsx'
import { statusWord } from '../../components/status/status.tsx'
import { bulk as texts } from '../../messages/activities.ts'
import { general } from '../../messages/general.ts'
import styles from './activities-page.module.css'
import { allows, type BulkAction, countsOf, nameOf, type Outcome, type Row } from './bulk-action.ts'

interface BulkDialogProps {
  readonly action: BulkAction
  readonly rows: readonly Row[]
  /** Undefined until the action is confirmed. */
  readonly outcomes?: ReadonlyMap<string, Outcome>
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something dangerous is done with several activities, and shows the result of each. */
export function BulkDialog({ action, rows, outcomes, onConfirm, onClose }: BulkDialogProps) {
  const possible = rows.filter(row => allows(row, action)).length
  const counts = outcomes && countsOf(outcomes)
  const isBusy = (counts?.waiting ?? 0) > 0
  return (
    <Dialog
      open
      // The results of requests that are under way must be seen.
      onClose={() => !isBusy && onClose()}
      title={texts.titles[action](possible)}
      description={counts ? undefined : texts.confirm[action]}
      footer={
        counts ? (
          <>
            <span className={styles['summary']} role="status">
              {isBusy ? texts.busy(counts.waiting) : texts.summary(counts.done, counts.refused, counts.impossible)}
            </span>
            <Button variant="primary" disabledReason={isBusy ? texts.stillBusy : undefined} onClick={onClose}>
              {general.close}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{general.cancel}</Button>
            <Button variant="danger" onClick={onConfirm}>
              {texts.titles[action](possible)}
            </Button>
          </>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused. */}
      <ul className={styles['outcomes']} tabIndex={0}>
        {rows.map(row => (
          <li key={row.id}>
            <div className={styles['what']}>
              <strong>{nameOf(row)}</strong>
              <NodePath path={row.attributes.path} line />
            </div>
            <Result action={action} row={row} outcome={outcomes?.get(row.id)} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Result({ action, row, outcome }: { action: BulkAction; row: Row; outcome: Outcome | undefined }) {
  const state = outcome?.state ?? (allows(row, action) ? undefined : 'impossible')
  switch (state) {
    case undefined:
      return null
    case 'waiting':
      return <Line icon={<LoaderCircle size={15} aria-hidden />}>{texts.waiting}</Line>
    case 'done':
      return (
        <Line icon={<Check size={15} aria-hidden />} kind="done">
          {texts.done[action]}
        </Line>
      )
    case 'impossible':
      return (
        <Line icon={<CircleMinus size={15} aria-hidden />}>
          {texts.impossible[action](statusWord(row.attributes.status_code))}
        </Line>
      )
    case 'refused':
      return (
        <Line icon={<CircleX size={15} aria-hidden />} kind="refused">
          {texts.refused(outcome && 'error' in outcome ? faultText(outcome.error) : '')}
        </Line>
      )
  }
}

const Line = ({ icon, kind, children }: { icon: ReactNode; kind?: 'done' | 'refused'; children: ReactNode }) => (
  <span className={styles['outcome']} data-kind={kind}>
    {icon}
    <span>{children}</span>
  </span>
)
