import type { QueryClient } from '@tanstack/react-query'
import { recordKey } from '../api/keys.ts'
import { useDocument } from '../api/queries.ts'
import type { Resource } from '../api/records.ts'
import { shell } from '../messages/shell.ts'

/** Maintenance mode and drain status, as the banner and the administration poll them. */

/** Milliseconds between polls of the maintenance mode and of the drain status. */
const every = 15_000

const infoPath = '/api/info'
const drainPath = '/api/admin/drain_status'

export interface Info {
  readonly maintenance_mode: boolean
  readonly maintenance_mode_exempts_superusers: boolean
}

/** What a blocker waits for; `by` names the step, the person or the pool. */
export interface Awaited {
  readonly kind: string
  readonly by: string | null
  readonly since: string
  readonly estimated_until?: string
  readonly approvers?: { readonly user_names: readonly string[]; readonly ldap_groups: readonly string[] }
}

/** Work in progress; of what the user may not read only its existence and its time. */
export interface Blocker {
  readonly type: 'change' | 'workflow_run' | 'node_background_task'
  readonly id: string | null
  readonly name: string | null
  readonly path: string
  readonly status_code: string
  readonly since: string
  readonly created_by: string | null
  readonly waits_for: Awaited | null
}

interface Counts {
  readonly changes: number
  readonly workflow_runs: number
  readonly background_tasks: number
}

export interface DrainStatus {
  readonly drained: boolean
  readonly active_counts: Counts
  readonly blockers: readonly Blocker[]
}

export const useInfo = () => useDocument<{ data: Resource<Info> }>(infoPath, undefined, { every })

export const useDrainStatus = (enabled = true) =>
  useDocument<{ data: Resource<DrainStatus> }>(drainPath, undefined, { every, enabled })

/** Reads mode and drain status again at once, after the mode was switched. */
export async function refreshMaintenance(cache: QueryClient): Promise<void> {
  await Promise.all([infoPath, drainPath].map(path => cache.invalidateQueries({ queryKey: recordKey(path) })))
}

/** `2 changes, 0 workflow runs, 1 background task`. */
export const countsText = ({ changes, workflow_runs: runs, background_tasks: tasks }: Counts): string =>
  shell.activeCounts(changes, runs, tasks)

export const drainText = ({ drained, active_counts: counts }: DrainStatus): string =>
  drained ? shell.drained : shell.draining(countsText(counts))
