import type { Resource } from '../../api/records.ts'

/** Day of the last week with what ended on it. */
export interface SummaryDay {
  readonly date: string
  readonly succeeded_count: number
  readonly failed_count: number
}

/** Schedule that is due next. */
export interface DueSchedule {
  readonly id: string
  readonly node_path: string
  readonly action: string | null
  readonly workflow_code: string | null
  readonly time_zone: string
  readonly next_run_at: string
}

/** Attributes of `GET /api/summary`. */
interface Summary {
  readonly active_count: number
  readonly waiting_for_me_count: number
  readonly failed_count: number
  readonly counts_exact: boolean
  readonly due_next: readonly DueSchedule[]
  readonly days: readonly SummaryDay[]
}

export interface SummaryDocument {
  readonly data: Resource<Summary>
}

/** Ended activities of the week, and the part of them that succeeded as a percentage; undefined if there are none. */
export function weekOf(days: readonly SummaryDay[]): { total: number; percent: string } | undefined {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded_count, 0)
  const total = days.reduce((sum, day) => sum + day.failed_count, succeeded)
  if (total === 0) return undefined
  // Never rounded up to 100 % while something failed.
  const percent = Math.floor((succeeded / total) * 1_000) / 10
  return { total, percent: `${percent} %` }
}

/** Heights of the bars of each day, as parts of the day with the most activities. */
export function barsOf(days: readonly SummaryDay[]): { succeeded: number; failed: number }[] {
  const most = Math.max(1, ...days.map(day => day.succeeded_count + day.failed_count))
  return days.map(day => ({ succeeded: day.succeeded_count / most, failed: day.failed_count / most }))
}
