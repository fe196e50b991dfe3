import { Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isStatus } from '../api/query-client.ts'
import { shell } from '../messages/shell.ts'
import { drainText, useDrainStatus, useInfo } from './maintenance.ts'
import styles from './shell.module.css'

/** Strip above every page while maintenance mode is on, with what is still in progress for people who may read it. */
export function MaintenanceBanner() {
  const info = useInfo()
  const mode = info.data?.data.attributes
  const isOn = mode?.maintenance_mode === true
  // Asked no more in this session once it was refused.
  const [isRefused, setIsRefused] = useState(false)
  const drain = useDrainStatus(isOn && !isRefused)
  const wasRefused = isStatus(drain.error, 403, 404)
  useEffect(() => {
    if (wasRefused) setIsRefused(true)
  }, [wasRefused])

  if (!isOn) return null
  const status = drain.data?.data.attributes
  return (
    <div className={styles['banner']} role="status">
      <Wrench size={16} aria-hidden />
      <span>{mode.maintenance_mode_exempts_superusers ? shell.maintenanceExempt : shell.maintenance}</span>
      {status && !isRefused && (
        <>
          <span aria-hidden>·</span>
          <span>{drainText(status)}</span>
          {mode.maintenance_mode_exempts_superusers && <span>{shell.superusersMayStart}</span>}
        </>
      )}
    </div>
  )
}
