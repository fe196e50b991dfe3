import { CircleCheck, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { maintenance as texts } from '../../../messages/admin.ts'
import { shell } from '../../../messages/shell.ts'
import { countsText, type DrainStatus, drainText } from '../../../shell/maintenance.ts'
import { BlockerRow } from './blocker-row.tsx'
import styles from './maintenance.module.css'
import type { Mode } from './mode.ts'

/** Number of blockers shown at first, and added each time. */
const page = 100

/** Work in progress that maintenance waits for. */
export function DrainPanel({ mode, status }: { mode: Mode; status: DrainStatus }) {
  const [shown, setShown] = useState(page)
  const { blockers, drained } = status
  const isOn = mode !== 'disabled'
  const Icon = drained ? CircleCheck : LoaderCircle
  return (
    <Panel title={texts.blockers} flush actions={<code>{texts.drainCommand}</code>}>
      {isOn && (
        <div className={styles['status']} data-drained={drained || undefined}>
          <Icon size={18} aria-hidden />
          <strong>{drainText(status)}</strong>
          {mode === 'superuser_override' && <span>{shell.superusersMayStart}</span>}
        </div>
      )}
      {drained ? (
        isOn ? (
          <p className={styles['hint']}>{texts.drainedDetail}</p>
        ) : (
          <EmptyState title={texts.nothing}>{texts.nothingDetail}</EmptyState>
        )
      ) : (
        <>
          <p className={styles['hint']}>
            {!isOn && <strong>{texts.inProgressNow(countsText(status.active_counts))}</strong>} {texts.blockersHint}
          </p>
          <ul>
            {blockers.slice(0, shown).map((blocker, i) => (
              <BlockerRow key={blocker.id ?? `${blocker.since} ${i}`} blocker={blocker} />
            ))}
          </ul>
          {blockers.length > shown && (
            <p className={styles['hint']}>
              <Button onClick={() => setShown(shown + page)}>
                {texts.more(Math.min(page, blockers.length - shown))}
              </Button>
            </p>
          )}
        </>
      )}
    </Panel>
  )
}
