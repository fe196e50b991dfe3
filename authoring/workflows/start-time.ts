import { failure } from '#platform/failure.ts'
import { cutToMicroseconds, readTime } from '#platform/jsonapi/times.ts'
import { instantsOf, timeZone } from '#platform/time-zone.ts'

const timeOfDay = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?: ([A-Za-z][A-Za-z0-9_+/-]*))?$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,30})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Pattern of JSON Schema for a `start_time`; it says nothing about which days and time zones exist. */
export const startTimePattern = `${timeOfDay.source}|${instant.source}`

/** Checks a step's `start_time`. Returns the fault, or undefined. */
export function startTimeFault(text: string): string | undefined {
  const day = timeOfDay.exec(text)
  if (day) return day[2] === undefined || timeZone(day[2]) ? undefined : noSuchZone(day[2])
  if (instant.test(text) && readTime(text) !== undefined) return undefined
  return '"start_time" is a time with its zone, such as 2026-11-21T02:00:00Z, or a time of day, such as 02:00 or 02:00 Europe/Vienna (UTC without a zone).'
}

/**
 * The time (ISO 8601) at which a step whose turn comes at `now` (milliseconds) starts by a valid `start_time`: itself,
 * or the first such time of day that is not before. A time that is skipped when clocks are put forward is the first
 * instant after that, as for schedules.
 *
 * @throws Failure `invalid` for a time zone that Node no longer knows
 */
export function startsAt(text: string, now: number): string {
  const [, time, name = 'UTC'] = timeOfDay.exec(text) ?? []
  if (time === undefined) return cutToMicroseconds(text)
  const zone = timeZone(name)
  if (!zone) throw failure('invalid', noSuchZone(name))
  const today = Math.floor((now + zone.offsetAt(now)) / day) * day
  const times = [0, day, 2 * day].flatMap(later => {
    const { instants, skippedTo } = instantsOf(zone, today + later + millisecondsOf(time))
    return skippedTo === undefined ? instants : [skippedTo]
  })
  return new Date(Math.min(...times.filter(each => each >= now))).toISOString()
}

const day = 86_400_000

const millisecondsOf = (time: string): number => Date.parse(`1970-01-01T${time}Z`)

const noSuchZone = (name: string): string => `There is no time zone "${name}".`
