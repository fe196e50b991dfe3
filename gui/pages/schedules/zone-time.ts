/** Times in time zones, for schedules. */

/** Time zones that the browser knows, UTC first. */
export const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** Minutes by which the clocks of a zone are ahead of UTC at an instant; undefined if there is no such zone. */
export function offsetAt(zone: string, instant: number): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
      instant,
    )
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d+):(\d+))?/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Instant of a wall-clock time such as `2027-03-28T02:30` in a zone, as ISO 8601. A time that clocks skip is moved by as
 * much as they are; of a repeated time, the first one is meant. Undefined if it is no time or no zone.
 */
export function instantOf(wall: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${wall}Z`)
  const day = 86_400_000
  const [before, after] = [offsetAt(zone, asUtc - day), offsetAt(zone, asUtc + day)]
  if (Number.isNaN(asUtc) || before === undefined || after === undefined) return undefined
  const candidates = [before, after].map(offset => asUtc - offset * 60_000)
  const exact = candidates.find(instant => wallTime(instant, zone) === wall)
  return new Date(exact ?? asUtc - before * 60_000).toISOString()
}

/** Wall-clock time of an instant in a zone, as an input of the type `datetime-local` has it: `2027-03-28T02:30`. */
export function wallTime(instant: number | string, zone: string): string {
  const time = new Date(instant).getTime()
  const offset = offsetAt(zone, time) ?? 0
  return new Date(time + offset * 60_000).toISOString().slice(0, 16)
}

/** Offset of a time with a zone, `+02:00`. */
const offsetIn = (time: string): string => /(?:Z|[+-]\d\d:\d\d)$/.exec(time)?.[0] ?? ''

export interface ClockChange {
  readonly before: string
  readonly after: string
}

/** For each of the times (with offsets, in order) the change of the clocks since the time before it, if any. */
export const clockChanges = (times: readonly string[]): (ClockChange | undefined)[] =>
  times.map((time, i) => {
    const before = i === 0 ? undefined : offsetIn(times[i - 1] ?? '')
    const after = offsetIn(time)
    return before !== undefined && before !== after ? { before, after } : undefined
  })

/** Time of day in my zone, with the weekday if it is another day than in the other zone: `18:30`, `Fri 18:30`. */
export function timeHere(instant: string, mine: string, other: string): string {
  const [here, there] = [wallTime(instant, mine), wallTime(instant, other)]
  const time = here.slice(11)
  if (here.slice(0, 10) === there.slice(0, 10)) return time
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: mine }).format(new Date(instant))
  return `${weekday} ${time}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Sun 28 Mar 2027, 02:30` in a zone. */
export function shortTime(instant: string, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
    })
    formats.set(zone, format)
  }
  return format.format(new Date(instant))
}
