import { changeBetween, instantsOf, type TimeZone } from '#platform/time-zone.ts'
import type { CronTimes } from './cron.ts'

/**
 * The first instant after another one (milliseconds) at which a cron expression is due in a time zone.
 *
 * A wall-clock time that is skipped when clocks are put forward is due at the first instant after it, and one that is
 * repeated when they are put back is due once, the first time. An expression for every hour means instants: it is due
 * in both passes of a repeated hour, because otherwise two hours would pass without one, and has none for a skipped
 * hour.
 *
 * @returns undefined when there is none
 */
export function nextDue(cron: CronTimes, zone: TimeZone, after: number): number | undefined {
  const offset = zone.offsetAt(after)
  for (let wall = cron.after(after + offset); wall !== undefined; wall = cron.after(wall)) {
    const { instants, skippedTo } = instantsOf(zone, wall)
    const due = cron.everyHour
      ? instants.find(each => each > after)
      : [instants[0] ?? skippedTo!].find(each => each > after)
    if (due === undefined) continue
    return cron.everyHour ? Math.min(due, inSecondPass(cron, zone, after, due) ?? due) : due
  }
  return undefined
}

/**
 * First match after clocks are set back between two instants; it may be before a match that is later on the wall clock.
 */
function inSecondPass(cron: CronTimes, zone: TimeZone, after: number, due: number): number | undefined {
  const offset = zone.offsetAt(due)
  if (offset >= zone.offsetAt(after)) return undefined
  const change = changeBetween(zone, after, due)
  const wall = cron.after(change + offset - 1_000)
  return wall === undefined ? undefined : wall - offset
}
