import { Unread } from '../../../components/state/query-states.tsx'
import { useDrainStatus, useInfo } from '../../../shell/maintenance.ts'
import styles from '../part.module.css'
import { DrainPanel } from './drain-panel.tsx'
import { modeOf } from './mode.ts'
import { ModePanel } from './mode-panel.tsx'

/** Maintenance mode with its switch, and what is in progress; both are read again every 15 seconds. */
export default function MaintenancePart() {
  const info = useInfo()
  const drain = useDrainStatus()
  if (info.data === undefined) return <Unread query={info} />
  if (drain.data === undefined) return <Unread query={drain} />
  const mode = modeOf(info.data.data.attributes)
  const status = drain.data.data.attributes
  return (
    <div className={styles['stack']}>
      <ModePanel mode={mode} status={status} />
      <DrainPanel mode={mode} status={status} />
    </div>
  )
}
