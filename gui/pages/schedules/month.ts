import { wallTime } from './zone-time.ts'

/** Days of a month and what is due on them. */

/** Schedule with its due times in a period, as `GET /api/scheduled_activities/upcoming` lists it. */
export interface UpcomingSchedule {
  readonly id: string
  readonly attributes: {
    readonly node_path: string
    readonly action: string | null
    readonly workflow_code: string | null
    readonly time_zone: string
    readonly due_times: readonly string[]
  }
}

/** Runs of one schedule on one day. */
export interface DueOnDay {
  readonly schedule: UpcomingSchedule
  /** Instants, the earliest first. */
  readonly times: readonly string[]
}

export interface Day {
  /** `2027-03-28`. */
  readonly date: string
  readonly isInMonth: boolean
  readonly due: readonly DueOnDay[]
}

/** `2027-03` of an instant in a zone. */
export const monthOf = (instant: number, zone: string): string => wallTime(instant, zone).slice(0, 7)

/** The month that many months later, or earlier. */
export function addMonths(month: string, count: number): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}

/** Dates of the weeks, Monday to Sunday, that a month is part of. */
export function datesOf(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00Z`)
  const last = Date.parse(`${addMonths(month, 1)}-01T00:00Z`) - day
  const from = first - ((new Date(first).getUTCDay() + 6) % 7) * day
  const to = last + ((7 - new Date(last).getUTCDay()) % 7) * day
  return Array.from({ length: (to - from) / day + 1 }, (_, i) => new Date(from + i * day).toISOString().slice(0, 10))
}

const day = 86_400_000

/** Days of a month's weeks with the schedules that are due on each, by their first time. */
export function daysOf(month: string, schedules: readonly UpcomingSchedule[], zone: string): Day[] {
  const byDate = new Map<string, Map<UpcomingSchedule, string[]>>()
  for (const schedule of schedules)
    for (const time of schedule.attributes.due_times) {
      const date = wallTime(time, zone).slice(0, 10)
      const due = byDate.get(date) ?? new Map<UpcomingSchedule, string[]>()
      byDate.set(date, due)
      due.set(schedule, [...(due.get(schedule) ?? []), time])
    }
  return datesOf(month).map(date => ({
    date,
    isInMonth: date.startsWith(month),
    due: [...(byDate.get(date) ?? [])]
      .map(([schedule, times]) => ({ schedule, times }))
      .toSorted((one, other) => (one.times[0] ?? '').localeCompare(other.times[0] ?? '')),
  }))
}
