import { type Family, gauge, type Labels, only, type Sample } from '#platform/metrics/families.ts'
import { begunStatuses } from '../runners/index.ts'
import type { MaintenanceMode } from '../settings/index.ts'
import { unfinishedStatuses } from '../steps/for-maintenance.ts'
import type { Installation } from './installation.store.ts'

const modes: readonly MaintenanceMode[] = ['disabled', 'enabled', 'superuser_override']
const activityKinds = ['change', 'workflow_run']
const taskStatuses = ['initializing', 'running']
const jobStatuses = ['pending', 'running', 'error']

/**
 * Prometheus metrics of the whole installation. Statuses without records are reported as 0, so that series are
 * continuous; if the installation could not be read, families have no samples.
 */
export function installationMetrics(now: Installation | undefined): Family[] {
  const told = (samples: (known: Installation) => readonly Sample[]) => (now ? samples(now) : [])
  return [
    gauge(
      'sluice_activities',
      'Changes and workflow runs that have not ended',
      told(({ activities }) =>
        activityKinds.flatMap(kind =>
          byStatus(
            unfinishedStatuses,
            (activities ?? []).filter(each => each.kind === kind),
            { kind },
          ),
        ),
      ),
    ),
    gauge(
      'sluice_background_tasks',
      'Background tasks of nodes that have not ended',
      told(({ tasks }) => byStatus(taskStatuses, tasks)),
    ),
    ...poolMetrics(now),
    gauge(
      'sluice_runners',
      'Runners on this host',
      told(({ runners }) => byStatus(begunStatuses, runners)),
    ),
    gauge(
      'sluice_jobs',
      'Background jobs in the queue; error: tried as often as they may be, and given up',
      told(({ jobs }) => byStatus(jobStatuses, jobs)),
    ),
    gauge(
      'sluice_audit_sealed_seq',
      'The number of the last event that is sealed',
      told(({ trail }) => only(trail.seq)),
    ),
    gauge(
      'sluice_audit_oldest_unsealed_age_seconds',
      'How long ago the oldest event was recorded that is not sealed; 0 when all are',
      told(({ trail }) => only(Math.max(0, trail.unsealed_seconds ?? 0))),
    ),
    gauge(
      'sluice_maintenance_mode',
      '1 for the mode in force',
      told(({ mode }) => modes.map(each => ({ labels: { mode: each }, value: each === mode ? 1 : 0 }))),
    ),
  ]
}

function poolMetrics(now: Installation | undefined): Family[] {
  const pools = now?.pools ?? []
  const of = (value: 'configured' | 'claimed' | 'waiting') =>
    pools.map(each => ({ labels: { site: each.site, pool: each.pool }, value: each[value] }))
  return [
    gauge('sluice_slots_limit', 'Maximum number of concurrent items of this kind of work', of('configured')),
    gauge('sluice_slots_claimed', 'Number of items in progress', of('claimed')),
    gauge('sluice_slots_waiting', 'Number of items waiting, for any reason', of('waiting')),
  ]
}

/** Samples for exactly these statuses. */
function byStatus(
  statuses: readonly string[],
  counted: readonly { readonly status: string; readonly count: number }[] | null,
  labels: Labels = {},
): Sample[] {
  const counts = new Map(counted?.map(({ status, count }) => [status, count]))
  return statuses.map(status => ({ labels: { ...labels, status }, value: counts.get(status) ?? 0 }))
}
