/** Formats of times and durations. Times are shown in the zone of the user; a tooltip adds UTC. */

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `3 minutes ago`, `in 2 hours`, `just now`. Both arguments in milliseconds. */
export function relativeTime(time: number, now: number): string {
  const seconds = (time - now) / 1_000
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  if (Math.abs(seconds) < 10) return 'just now'
  return relative.format(Math.trunc(seconds), 'second')
}

/** `617 ms`, `4.8 s`, `2 min 4 s`, `3 h 12 min`, `2 d 4 h`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds))
  if (ms < 1_000) return `${ms} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return `${minutes} min ${seconds % 60} s`
}

/** Duration of what has not ended, by a clock that ticks once a second: `0 s`, `4 s`, `2 min 4 s`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1_000)
}

/** Time zone of the user. */
export const userTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

/** `24 Nov 2026, 14:03:07` in a time zone, with the zone's name if asked. */
export function dateTime(time: number | string, { zone = userTimeZone(), withZone = false } = {}): string {
  const key = `${zone} ${withZone}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone: zone,
      ...(withZone && { timeZoneName: 'short' }),
    })
    formats.set(key, format)
  }
  return format.format(new Date(time))
}

/** `14:03:07`. */
export const timeOfDay = (time: number | string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(time))
