/**
 * Wall-clock times by the time zones of Node. Those of the database are never used: two copies of the rules differ for
 * weeks each time a country changes them.
 */
export interface TimeZone {
  /** Milliseconds by which the local time is ahead of UTC at an instant. */
  offsetAt(instant: number): number
}

/** Finds a time zone by its IANA name, case-insensitively; undefined if there is none. */
export function timeZone(name: string): TimeZone | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return undefined
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone: name })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return {
    offsetAt: instant => {
      const whole = Math.floor(instant / 1_000) * 1_000
      const at: Record<string, number> = {}
      for (const { type, value } of format.formatToParts(whole)) at[type] = Number(value)
      const wall = Date.UTC(at['year']!, at['month']! - 1, at['day'], at['hour'], at['minute'], at['second'])
      return wall - whole
    },
  }
}

const parts = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

const day = 86_400_000

/**
 * The instants with a given local time: one; two if clocks are put back over it; none if they are put forward over it,
 * `skippedTo` being the first instant after that.
 */
export function instantsOf(zone: TimeZone, wall: number): { instants: readonly number[]; skippedTo?: number } {
  const before = zone.offsetAt(wall - day)
  const behind = zone.offsetAt(wall + day)
  const instants = [...new Set([wall - before, wall - behind])]
    .filter(instant => instant + zone.offsetAt(instant) === wall)
    .toSorted((a, b) => a - b)
  if (instants.length > 0) return { instants }
  return { instants, skippedTo: changeBetween(zone, wall - day, wall + day) }
}

/** The first instant, to the second, of the offset in force at `to`, which differs from that at `from`. */
export function changeBetween(zone: TimeZone, from: number, to: number): number {
  const after = zone.offsetAt(to)
  let [low, high] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offsetAt(middle * 1_000) === after) high = middle
    else low = middle
  }
  return high * 1_000
}
