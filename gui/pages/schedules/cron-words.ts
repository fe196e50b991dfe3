import { cronWords as texts } from '../../messages/schedules.ts'

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/**
 * A cron expression in words: `30 2 * * MON-FRI` is "Monday to Friday at 02:30". Undefined for less common expressions,
 * which only the expression itself says exactly.
 */
export function cronInWords(expression: string): string | undefined {
  const written = expression.trim().toLowerCase()
  const fields = (nicknames[written] ?? written).split(/\s+/)
  const [minute, hour, day, month, weekday] = fields
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) return undefined
  const days = daysInWords(day, weekday)
  const months = month === '*' ? '' : namesOf(month, monthNames, 1)
  if (days === undefined || months === undefined) return undefined
  const isEveryDay = days === texts.everyDay && months === ''
  const often = oftenInWords(minute, hour)
  if (often !== undefined) return isEveryDay ? often : undefined
  const times = timesOf(minute, hour)
  return times && [days, months && texts.inMonths(months), texts.at(listed(times))].filter(Boolean).join(' ')
}

/** Expressions that are due at least once an hour or every few hours. */
function oftenInWords(minute: string, hour: string): string | undefined {
  const minutes = stepOf(minute)
  if (hour === '*' && minutes !== undefined) return minutes === 1 ? texts.everyMinute : texts.everyMinutes(minutes)
  if (!isNumber(minute, 59)) return undefined
  const hours = stepOf(hour)
  if (hours === undefined) return undefined
  return hours === 1 ? texts.everyHour(minute) : texts.everyHours(hours, minute)
}

/** 1 for `*`, 5 for every fifth value. */
const stepOf = (field: string): number | undefined => {
  if (field === '*') return 1
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? []
  return step === undefined || Number(step) === 0 ? undefined : Number(step)
}

function daysInWords(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return texts.everyDay
  if (day === '*') {
    if (weekday === '1-5' || weekday === 'mon-fri') return texts.weekdays
    const names = namesOf(weekday, dayNames, 0)
    return names && (weekday.includes('-') ? names : texts.days(names))
  }
  if (weekday !== '*') return undefined
  if (day === 'l') return texts.lastDay
  const numbers = day.split(',')
  return numbers.every(each => isNumber(each, 31)) ? texts.dayOfMonth(listed(numbers)) : undefined
}

/** Names of the values of a field, such as `MON,THU` or `1-3`; undefined if it has other forms. */
function namesOf(field: string, names: readonly string[], first: number): string | undefined {
  const nameOf = (value: string): string | undefined => {
    const index = names.findIndex(name => name.slice(0, 3).toLowerCase() === value)
    // 7 is Sunday as well.
    return names[index >= 0 ? index : isNumber(value, 12) ? (Number(value) - first) % names.length : -1]
  }
  const parts = field.split(',').map(part => {
    const [from = '', to, more] = part.split('-')
    const [one, other] = [nameOf(from), to === undefined ? undefined : nameOf(to)]
    if (one === undefined || more !== undefined || (to !== undefined && other === undefined)) return undefined
    return other === undefined ? one : texts.dayRange(one, other)
  })
  return parts.every(part => part !== undefined) ? listed(parts) : undefined
}

/** Times of day of plain lists of minutes and hours. */
function timesOf(minute: string, hour: string): string[] | undefined {
  const [minutes, hours] = [minute.split(','), hour.split(',')]
  if (!minutes.every(each => isNumber(each, 59)) || !hours.every(each => isNumber(each, 23))) return undefined
  if (minutes.length * hours.length > 4) return undefined
  return hours.flatMap(h => minutes.map(m => `${h.padStart(2, '0')}:${m.padStart(2, '0')}`))
}

const isNumber = (text: string, most: number): boolean => /^\d+$/.test(text) && Number(text) <= most

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${texts.and} ${parts.at(-1)}`
