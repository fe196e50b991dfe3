import { ErrorState, Skeleton } from '../../../components/state/state.tsx'
import { useDrainStatus, useInfo } from '../../../shell/maintenance.ts'
import styles from '../part.module.css'
import { DrainPanel } from './drain-panel.tsx'
import { modeOf } from './mode.ts'
import { ModePanel } from './mode-panel.tsx'

/** Maintenance mode with its switch, and what is in progress; both are read again every 15 seconds. */
export default function MaintenancePart() {
  const info = useInfo()
  const drain = useDrainStatus()
  if (info.isPending || drain.isPending) return <Skeleton />
  if (!info.data) return <ErrorState error={info.error} onRetry={() => void info.refetch()} />
  if (!drain.data) return <ErrorState error={drain.error} onRetry={() => void drain.refetch()} />
  const mode = modeOf(info.data.data.attributes)
  const status = drain.data.data.attributes
  return (
    <div className={styles['stack']}>
      <ModePanel mode={mode} status={status} />
      <DrainPanel mode={mode} status={status} />
    </div>
  )
}
