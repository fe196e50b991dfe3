import { type Sql, sql } from '#platform/db/sql.ts'
import { kinds } from '#platform/jsonapi/kinds.ts'

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ([A-Za-z][A-Za-z0-9_+/-]*))?$/

/** What is wrong with a step's `start_time`, or undefined. */
export function startTimeFault(text: string): string | undefined {
  const day = timeOfDay.exec(text)
  if (day) return day[1] === undefined || isZone(day[1]) ? undefined : `There is no time zone "${day[1]}".`
  if (/T.*(Z|[+-]\d\d:\d\d)$/.test(text) && kinds.time.read(text) !== undefined) return undefined
  return '"start_time" is a time with its zone, such as 2026-11-21T02:00:00Z, or a time of day, such as 02:00 or 02:00 Europe/Vienna (UTC without a zone).'
}

/**
 * The instant that a valid `start_time` means to a step whose turn comes at `from`: itself, or the first such time of day
 * that is not before. Computed by the database, whose time it is; a time of day that daylight saving leaves out is the one
 * after the gap.
 */
export function startsAt(text: string, from: Sql): Sql<string> {
  if (!timeOfDay.test(text)) return sql<string>`${text}::timestamptz`
  const [time, zone = 'UTC'] = text.split(' ')
  return sql<string>`(
    select min(day_at.at)
      from (select ${from} as now) moment,
           generate_series(0, 1) as days(after),
           lateral (select ((moment.now at time zone ${zone})::date + days.after + ${time}::time) at time zone ${zone} as at) day_at
     where day_at.at >= moment.now)`
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
