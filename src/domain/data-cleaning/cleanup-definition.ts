import { isDeepStrictEqual } from 'node:util'
import { nextDueTimes, nextRunAt, scheduleFaults } from '../schedules/index.ts'

/** Kinds of records that a definition can remove. */
export const cleanedKinds = ['activities', 'events', 'jobs'] as const
export type CleanedKind = (typeof cleanedKinds)[number]

/** Attributes of a definition: which records to remove, and when. */
export interface Written {
  readonly name: string
  readonly kind: CleanedKind
  readonly cron_schedule: string
  readonly time_zone: string
  readonly node_paths: readonly string[]
  readonly filters: Readonly<Record<string, unknown>>
  readonly older_than: string
  readonly maximum_per_run: number | null
  readonly enabled: boolean
}

export const definitionsPath = '/admin/data_cleanup_definitions'

/** Default attributes. */
export const usual = {
  time_zone: 'UTC',
  node_paths: ['%'],
  filters: {},
  maximum_per_run: null,
  enabled: true,
} as const

/** Minimum age in days of each kind of record. The database itself does not remove younger events. */
const minimumDays: Readonly<Record<CleanedKind, number>> = { activities: 1, events: 30, jobs: 1 }
const mostDays = 36_525

/** Faults of the schedule and of the required age. */
export function definitionFaults(wanted: Written): { readonly attribute: string; readonly detail: string }[] {
  const times = scheduleFaults({ ...timesOf(wanted), ...unconditional })
  return [...times, ...ageFaults(wanted)]
}

function ageFaults({ older_than, kind }: Written): { attribute: string; detail: string }[] {
  const days = daysOf(older_than)
  const fault = (detail: string) => [{ attribute: 'older_than', detail }]
  if (days === undefined) return fault('Write a duration of ISO 8601, such as P90D, P1Y or P1DT12H.')
  if (days < minimumDays[kind])
    return fault(`What is younger than P${minimumDays[kind]}D is never removed of ${kind}: write at least that.`)
  return days > mostDays ? fault('Write a hundred years at most.') : []
}

const duration =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/
/** Shortest duration of each unit. */
const inDays = [365, 28, 7, 1, 1 / 24, 1 / 1_440, 1 / 86_400]

/** Minimum number of days of a duration; undefined for an invalid one. */
function daysOf(text: string): number | undefined {
  const parts = duration.exec(text)?.slice(1)
  return parts?.reduce((days, part, at) => days + Number(part ?? 0) * inDays[at]!, 0)
}

/**
 * Next due time, ISO 8601; null when never.
 *
 * @param now ISO 8601, the database's
 */
export const nextDueOf = (wanted: Pick<Written, 'cron_schedule' | 'time_zone' | 'enabled'>, now: string) =>
  wanted.enabled ? nextRunAt(timesOf(wanted), now) : null

/** The next due times, in its own time zone. */
export const dueTimesOf = (
  stored: Pick<Written, 'cron_schedule' | 'time_zone'> & { readonly next_run_at: string | null },
): string[] => nextDueTimes({ ...timesOf(stored), next_run_at: stored.next_run_at })

/** Times of a schedule that never ends. */
const timesOf = ({ cron_schedule, time_zone }: Pick<Written, 'cron_schedule' | 'time_zone'>) => ({
  cron_schedule,
  time_zone,
  run_at: null,
  repeat: true,
  maximum_run_count: null,
  end_at: null,
  run_count: 0,
})

const unconditional = {
  new_commits_only: false,
  commit_file_patterns: [],
  commit_file_pattern_match: 'any',
  allow_parallel_execution: false,
} as const

const differ = (a: Written, b: Written, keys: readonly (keyof Written)[]): boolean =>
  keys.some(key => !isDeepStrictEqual(a[key], b[key]))

/** Whether its schedule has changed. */
export const hasOtherSchedule = (before: Written, after: Written): boolean =>
  differ(before, after, ['cron_schedule', 'time_zone', 'enabled'])

/** Whether it removes other records than before, or none any more: a running run ends. */
export const hasOtherSelection = (before: Written, after: Written): boolean =>
  differ(before, after, ['kind', 'node_paths', 'filters', 'older_than', 'maximum_per_run', 'enabled'])
