/** Due times computed independently of the tested code: by checking the wall clock in every minute. */

export const sampledZones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo', 'Asia/Kolkata'],
] as const

/** A period, and the due instants in it (milliseconds) for an expression of five plain fields. */
export interface DueStretch {
  readonly from: number
  readonly to: number
  readonly minutes: readonly number[]
}

/** An instant at which the zone's offset from UTC changes. */
export interface ClockChange {
  readonly at: number
  readonly before: number
  readonly after: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The first offset of a zone between two instants, and every later change of it. */
export function clockOf(zone: string, from: number, to: number): { offset: number; changes: ClockChange[] } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const offsetAt = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at
  const offset = offsetAt(from)
  const changes: ClockChange[] = []
  let before = offset
  for (let at = from + day; at <= to; at += day) {
    const after = offsetAt(at)
    if (after === before) continue
    let change = at - day
    while (offsetAt(change + hour) === before) change += hour
    while (offsetAt(change) === before) change += minute
    changes.push({ at: change, before, after })
    before = after
  }
  return { offset, changes }
}

/** Due times within this number of days around each change of the clocks; over all the time if `around` is absent. */
export function* dueByMinutes(
  clock: ReturnType<typeof clockOf>,
  expression: string,
  from: number,
  to: number,
  around?: number,
): Generator<DueStretch> {
  const within = clock.changes.filter(({ at }) => at > from && at < to)
  const stretches: (readonly [number, number])[] =
    around === undefined ? [[from, to]] : within.map(({ at }) => [at - around * day, at + around * day])
  for (const [begin, end] of stretches) yield { from: begin, to: end, minutes: look(clock, expression, begin, end) }
}

function look(clock: ReturnType<typeof clockOf>, expression: string, begin: number, end: number): number[] {
  const matches = fieldsOf(expression)
  const everyHour = written(expression)[1] === '*'
  const found: number[] = []
  let last: ClockChange = { at: Number.NEGATIVE_INFINITY, before: clock.offset, after: clock.offset }
  const coming = [...clock.changes]
  for (let at = begin; at < end; at += minute) {
    while (coming[0] && coming[0].at <= at) last = coming.shift()!
    const { before, after } = last
    const repeated = before > after && at - last.at < before - after
    const owed = at === last.at && after > before && !everyHour && anyMatch(matches, at + before, at + after)
    if (owed || (matches(at + after) && (everyHour || !repeated))) found.push(at)
  }
  return found
}

function anyMatch(matches: (wall: number) => boolean, from: number, to: number): boolean {
  for (let wall = from; wall < to; wall += minute) if (matches(wall)) return true
  return false
}

const nicknames: Readonly<Record<string, string>> = { '@hourly': '0 * * * *' }
const written = (expression: string) => (nicknames[expression] ?? expression).split(' ')

/** Numbers, lists, ranges, `*` and steps of `*`; days of the month and of the week are not both given. */
function fieldsOf(expression: string): (wall: number) => boolean {
  const [minutes, hours, days, months, weekdays] = written(expression).map(fieldOf)
  const everyDay = written(expression).slice(2, 4).join(' ') === '* *'
  return wall => {
    const minuteOfDay = Math.floor(wall / minute) % 1_440
    if (!minutes!(minuteOfDay % 60) || !hours!(Math.floor(minuteOfDay / 60))) return false
    if (!weekdays!((Math.floor(wall / day) + 4) % 7)) return false
    if (everyDay) return true
    const at = new Date(wall)
    return days!(at.getUTCDate()) && months!(at.getUTCMonth() + 1)
  }
}

function fieldOf(field: string): (value: number) => boolean {
  if (field === '*') return () => true
  if (field.startsWith('*/')) return value => value % Number(field.slice(2)) === 0
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const [low = 0, high = low] = part.split('-').map(Number)
    for (let value = low; value <= high; value++) values.add(value)
  }
  return value => values.has(value)
}
