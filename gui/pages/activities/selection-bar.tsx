import { useQueryClient } from '@tanstack/react-query'
import { type LucideIcon, Pause, Play, Square, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey } from '../../api/keys.ts'
import { Button, IconButton } from '../../components/button/button.tsx'
import { bulk as texts } from '../../messages/activities.ts'
import { kinds } from '../activity/activity-kind.ts'
import styles from './activities-page.module.css'
import { actOnEach, allows, type BulkAction, bulkActions, type Outcome, type Row } from './bulk-action.ts'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

const icons: Readonly<Record<BulkAction, LucideIcon>> = { pause: Pause, resume: Play, cancel: Square }

interface Run {
  readonly action: BulkAction
  /** The activities as they were when the action was chosen. */
  readonly rows: readonly Row[]
  /** Undefined until the action is confirmed. */
  readonly outcomes?: ReadonlyMap<string, Outcome>
}

interface SelectionBarProps {
  readonly rows: readonly Row[]
  /** Changes the selection to activities by their ids. */
  readonly onSelect: (ids: readonly string[]) => void
}

/** Bar with what can be done with the selected activities. What was done is not selected any more; the rest stays. */
export function SelectionBar({ rows, onSelect }: SelectionBarProps) {
  const cache = useQueryClient()
  const [run, setRun] = useState<Run>()
  const start = async (action: BulkAction, chosen: readonly Row[]) => {
    const send = (row: Row) => {
      const path = kinds[row.attributes.type].path(row.id)
      return action === 'cancel' ? sluice().remove(path) : sluice().create(`${path}/${action}`)
    }
    const outcomes = await actOnEach(chosen, action, send, now => setRun({ action, rows: chosen, outcomes: now }))
    void cache.invalidateQueries({ queryKey: listKey('/api/activities') })
    onSelect(chosen.filter(({ id }) => outcomes.get(id)?.state !== 'done').map(({ id }) => id))
  }
  const dialog = run && (
    <Suspense>
      <BulkDialog {...run} onConfirm={() => void start(run.action, run.rows)} onClose={() => setRun(undefined)} />
    </Suspense>
  )
  return (
    <>
      {rows.length > 0 && (
        <div className={styles['selection']} role="group" aria-label={texts.label}>
          <span className={styles['selected']} role="status">
            {texts.selected(rows.length)}
          </span>
          {bulkActions.map(action => {
            const count = rows.filter(row => allows(row, action)).length
            const Icon = icons[action]
            return (
              <Button
                key={action}
                size="small"
                variant={action === 'cancel' ? 'danger' : 'plain'}
                disabledReason={count === 0 ? texts.none[action] : undefined}
                onClick={() => (action === 'cancel' ? setRun({ action, rows }) : void start(action, rows))}
              >
                <Icon size={14} aria-hidden />
                {texts.actions[action](count, rows.length)}
              </Button>
            )
          })}
          <IconButton label={texts.clear} variant="quiet" size="small" onClick={() => onSelect([])}>
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      )}
      {dialog}
    </>
  )
}
