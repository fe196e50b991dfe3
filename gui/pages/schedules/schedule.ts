import type { Activity, Resource, ScheduledChange } from '../../api/records.ts'
import { schedules as texts } from '../../messages/schedules.ts'
import { cronInWords } from './cron-words.ts'
import { shortTime } from './zone-time.ts'

export type Schedule = Resource<ScheduledChange>

/** Name of what a schedule runs: of an action or of a workflow. */
export const nameOf = ({ action, workflow_code: code }: Pick<ScheduledChange, 'action' | 'workflow_code'>): string =>
  action ?? code ?? ''

/** Path of the node that it runs on. */
export const nodePathOf = ({ links }: Schedule): string => links?.['parent']?.replace(/^\/api/, '') ?? ''

export const isPermitted = ({ meta }: Schedule, right: 'update' | 'delete'): boolean =>
  Array.isArray(meta?.['can']) && meta['can'].includes(right)

/** When it is due, in words; a cron expression that has no short words is shown as it is. */
export function ruleInWords({ cron_schedule: cron, run_at: at, time_zone: zone }: ScheduledChange): string {
  if (at !== null) return texts.once(shortTime(at, zone))
  return cron === null ? '' : (cronInWords(cron) ?? cron)
}

/**
 * Newest activity that a schedule of the same action on the same node, by the same user, has started. Activities do not
 * say which of several such schedules it was.
 *
 * @param activities of schedules, the newest first
 */
export const lastRunOf = (
  schedule: Schedule,
  activities: readonly Resource<Activity>[],
): Resource<Activity> | undefined =>
  activities.find(
    ({ attributes: { path, action, workflow_code: code, created_by: user } }) =>
      path === nodePathOf(schedule) &&
      action === schedule.attributes.action &&
      code === schedule.attributes.workflow_code &&
      user === schedule.attributes.created_by,
  )
