/**
 * Due times computed from the wall clock of each day: slowly, and without the product's code. Instants are seconds
 * since 1970 throughout the model.
 */

export interface Expression {
  readonly text: string
  /** Undefined: every hour, also a repeated one. */
  readonly hours?: readonly number[]
  readonly minutes: readonly number[]
  readonly second?: number
  /** 0 is Sunday. */
  readonly weekday?: number
  readonly day?: number
}

const everyOther = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]

export const expressions: readonly Expression[] = [
  { text: '*/20 * * * *', minutes: [0, 20, 40] },
  { text: '*/10 * * * *', minutes: [0, 10, 20, 30, 40, 50] },
  { text: '15 * * * *', minutes: [15] },
  { text: '@hourly', minutes: [0] },
  { text: '30 2 * * *', hours: [2], minutes: [30] },
  { text: '0,30 1-3 * * *', hours: [1, 2, 3], minutes: [0, 30] },
  { text: '0 */2 * * *', hours: everyOther, minutes: [0] },
  { text: '30 15 2 * * *', hours: [2], minutes: [15], second: 30 },
  { text: '@daily', hours: [0], minutes: [0] },
  { text: '45 1 * * SUN', hours: [1], minutes: [45], weekday: 0 },
  { text: '0 5 1 * *', hours: [5], minutes: [0], day: 1 },
]

export const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const

/** Instants shortly before one of these zones puts its clock forward or back, oldest first, without end. */
export function* evesOfChanges(after: number): Generator<number> {
  for (let at = Math.ceil(after / day) * day; ; at += day)
    if (zones.some(zone => offset(zone, at) !== offset(zone, at + day))) yield at
}

/** Due times after an instant, up to and including another. */
export function dueTimes(of: Expression, zone: string, after: number, until: number): number[] {
  const found = of.hours ? onTheWall(of, of.hours, zone, after, until) : inEachHour(of, after, until, zone)
  return [...new Set(found)].filter(at => at > after && at <= until).toSorted((a, b) => a - b)
}

export function nextDueTime(of: Expression, zone: string, after: number): number {
  for (let days = 2; ; days *= 4) {
    const [next] = dueTimes(of, zone, after, after + days * day)
    if (next !== undefined) return next
  }
}

const minute = 60
const day = 86_400

function inEachHour({ minutes }: Expression, after: number, until: number, zone: string): number[] {
  const found: number[] = []
  for (let at = Math.floor(after / minute) * minute; at <= until; at += minute)
    if (minutes.includes(Math.floor((at + offset(zone, at)) / minute) % 60)) found.push(at)
  return found
}

function onTheWall(of: Expression, hours: readonly number[], zone: string, after: number, until: number): number[] {
  const found: number[] = []
  for (let midnight = Math.floor(after / day - 1) * day; midnight <= until + day; midnight += day) {
    const date = new Date(midnight * 1_000)
    if (of.weekday !== undefined && date.getUTCDay() !== of.weekday) continue
    if (of.day !== undefined && date.getUTCDate() !== of.day) continue
    for (const hour of hours)
      for (const each of of.minutes)
        found.push(instant(zone, midnight + hour * 3_600 + each * minute + (of.second ?? 0)))
  }
  return found
}

/** The first instant with this wall-clock time; if it is skipped, the first instant after the gap. */
function instant(zone: string, wall: number): number {
  const offsets = [offset(zone, wall - day), offset(zone, wall + day)]
  const shown = offsets.map(each => wall - each).filter(at => at + offset(zone, at) === wall)
  if (shown.length > 0) return Math.min(...shown)
  let at = Math.floor((wall - Math.max(...offsets)) / minute) * minute
  while (at + offset(zone, at) < wall) at += minute
  return at
}

const quarter = 900
const known = new Map<string, number>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Offset of a zone in seconds; it changes at quarters of an hour only. */
function offset(zone: string, at: number): number {
  const since = Math.floor(at / quarter) * quarter
  const key = `${zone} ${since}`
  const found = known.get(key) ?? shownIn(zone, since) - since
  known.set(key, found)
  return found
}

function shownIn(zone: string, at: number): number {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numeric })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(at * 1_000).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(parts['year']!, parts['month']! - 1, parts['day']!, parts['hour']!, parts['minute']!) / 1_000
}
