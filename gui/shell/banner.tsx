import { Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useDocument } from '../api/queries.ts'
import { isStatus } from '../api/query-client.ts'
import type { Resource } from '../api/records.ts'
import { shell } from '../messages/shell.ts'
import styles from './shell.module.css'

/** Milliseconds between polls of the maintenance mode and of the drain status. */
const every = 15_000

interface Info {
  readonly maintenance_mode: boolean
  readonly maintenance_mode_exempts_superusers: boolean
}

interface DrainStatus {
  readonly drained: boolean
  readonly active_counts: {
    readonly changes: number
    readonly workflow_runs: number
    readonly background_tasks: number
  }
}

/** Strip above every page while maintenance mode is on, with what is still in progress for people who may read it. */
export function MaintenanceBanner() {
  const info = useDocument<{ data: Resource<Info> }>('/api/info', undefined, { every })
  const mode = info.data?.data.attributes
  const isOn = mode?.maintenance_mode === true
  // Asked no more in this session once it was refused.
  const [isRefused, setIsRefused] = useState(false)
  const drain = useDocument<{ data: Resource<DrainStatus> }>('/api/admin/drain_status', undefined, {
    every,
    enabled: isOn && !isRefused,
  })
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

function drainText({ drained, active_counts: active }: DrainStatus): string {
  return drained ? shell.drained : shell.draining(active.changes, active.workflow_runs, active.background_tasks)
}
