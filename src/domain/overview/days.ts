import { instantsOf, type TimeZone } from '#platform/time-zone.ts'

/** Calendar day of a time zone. */
export interface Day {
  /** `2027-03-28`. */
  readonly date: string
  /** First instant, in milliseconds. */
  readonly from: number
  /** First instant of the next day, in milliseconds. */
  readonly to: number
}

const length = 86_400_000

/** The last days of a time zone up to the one that contains an instant, oldest first. */
export function lastDays(zone: TimeZone, now: number, count: number): Day[] {
  const today = Math.floor((now + zone.offsetAt(now)) / length) * length
  return Array.from({ length: count }, (_, at) => {
    const midnight = today - (count - 1 - at) * length
    return {
      date: new Date(midnight).toISOString().slice(0, 10),
      from: startOf(zone, midnight),
      to: startOf(zone, midnight + length),
    }
  })
}

/** Start of a day: clocks may be set forward over midnight. */
function startOf(zone: TimeZone, midnight: number): number {
  const { instants, skippedTo } = instantsOf(zone, midnight)
  return instants[0] ?? skippedTo!
}
