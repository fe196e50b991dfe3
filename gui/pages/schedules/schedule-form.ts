import type { ScheduledChange, ToScheduledActivitiesCreateOnNode } from '../../api/records.ts'
import { instantOf, wallTime } from './zone-time.ts'

/** Values of the form of a schedule. */
export interface ScheduleForm {
  readonly node: string
  readonly kind: 'action' | 'workflow'
  readonly action: string
  readonly workflow: string
  readonly gitRemote: string
  readonly gitRev: string
  readonly timing: 'cron' | 'once'
  readonly cron: string
  /** Wall-clock time in the zone. */
  readonly runAt: string
  readonly zone: string
  readonly isParallel: boolean
  readonly needsNewCommit: boolean
  readonly maximum: string
  /** Wall-clock time in the zone. */
  readonly endAt: string
}

export const emptyForm = (zone: string, given: Partial<ScheduleForm> = {}): ScheduleForm => ({
  node: '',
  kind: 'action',
  action: '',
  workflow: '',
  gitRemote: '',
  gitRev: '',
  timing: 'cron',
  cron: '30 2 * * *',
  runAt: '',
  zone,
  isParallel: false,
  needsNewCommit: false,
  maximum: '',
  endAt: '',
  ...given,
})

/** Values of the form for an existing schedule. */
export const formOf = (schedule: ScheduledChange, node: string): ScheduleForm => ({
  node,
  kind: schedule.workflow_code === null ? 'action' : 'workflow',
  action: schedule.action ?? '',
  workflow: schedule.workflow_code ?? '',
  gitRemote: schedule.git_remote_name ?? '',
  gitRev: schedule.git_rev ?? '',
  timing: schedule.run_at === null ? 'cron' : 'once',
  cron: schedule.cron_schedule ?? '',
  runAt: schedule.run_at === null ? '' : wallTime(schedule.run_at, schedule.time_zone),
  zone: schedule.time_zone,
  isParallel: schedule.allow_parallel_execution,
  needsNewCommit: schedule.new_commits_only,
  maximum: schedule.maximum_run_count === null ? '' : String(schedule.maximum_run_count),
  endAt: schedule.end_at === null ? '' : wallTime(schedule.end_at, schedule.time_zone),
})

/** Attributes that say when a schedule is due, for the preview and for writing it; undefined while something is missing. */
export function timingOf(form: ScheduleForm): ToScheduledActivitiesCreateOnNode | undefined {
  const runAt = form.timing === 'once' ? instantOf(form.runAt, form.zone) : undefined
  if (form.timing === 'cron' ? form.cron.trim() === '' : runAt === undefined) return undefined
  return {
    ...(runAt === undefined
      ? { cron_schedule: form.cron.trim(), run_at: null }
      : { run_at: runAt, cron_schedule: null }),
    time_zone: form.zone,
    repeat: runAt === undefined,
    maximum_run_count: form.maximum.trim() === '' ? null : Number(form.maximum),
    end_at: form.endAt === '' ? null : (instantOf(form.endAt, form.zone) ?? null),
  }
}

/** Attributes of the schedule; undefined while something is missing. */
export function attributesOf(form: ScheduleForm): ToScheduledActivitiesCreateOnNode | undefined {
  const timing = timingOf(form)
  const what = form.kind === 'workflow' ? form.workflow : form.action.trim()
  if (!timing || what === '') return undefined
  const isOfRevision = form.kind === 'action' && form.gitRev.trim() !== ''
  return {
    ...timing,
    ...(form.kind === 'workflow' ? { workflow_code: what } : { action: what }),
    ...(isOfRevision && { git_remote_name: form.gitRemote.trim(), git_rev: form.gitRev.trim() }),
    allow_parallel_execution: form.isParallel,
    new_commits_only: form.needsNewCommit,
  }
}
