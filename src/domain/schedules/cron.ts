import { Cron } from 'croner'

/**
 * A cron expression over wall-clock times without a time zone: `2027-03-28 02:30` as the milliseconds of that UTC time.
 */
export interface CronTimes {
  /** The first later wall-clock time that matches the expression; undefined if there is none. */
  after(wall: number): number | undefined
  /** Whether it matches every hour of its days: such an expression means instants, and not hours of the clock. */
  readonly everyHour: boolean
}

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/**
 * Parses five fields (minute, hour, day of the month, month, day of the week), six (seconds first), or a nickname.
 *
 * @returns the fault, with a hint, if it is invalid or never matches
 */
export function readCron(text: string): CronTimes | { readonly fault: string } {
  const written = text.trim().toLowerCase()
  const expression = nicknames.get(written) ?? written
  const fields = expression.split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6)
    return { fault: `Write five fields, six with seconds first, or one of ${[...nicknames.keys()].join(', ')}.` }
  const cron = cronOf(expression)
  if (!cron) return { fault: faultsIn(fields) }
  const after = (wall: number) => cron.nextRun(new Date(wall))?.getTime()
  if (after(Date.UTC(2026, 0, 1)) === undefined) return { fault: 'No day ever comes that it names.' }
  return { after, everyHour: /^[*?]$/.test(fields.at(-4)!) }
}

/** The library computes wall-clock times; due-times.ts converts them to a time zone. */
function cronOf(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { timezone: 'Etc/UTC', paused: true, mode: '5-or-6-parts' })
  } catch {
    // Faults are described in our own words (`faultsIn`), whatever library reads the expression.
    return undefined
  }
}

interface Field {
  readonly name: string
  readonly values: string
  /** Position of the field in the expression. */
  readonly from: number
  readonly to: number
}

const fieldsWithSeconds: readonly Field[] = [
  { name: 'second', values: 'numbers from 0 to 59', from: 0, to: 59 },
  { name: 'minute', values: 'numbers from 0 to 59', from: 0, to: 59 },
  { name: 'hour', values: 'numbers from 0 to 23', from: 0, to: 23 },
  { name: 'day of the month', values: 'numbers from 1 to 31, or L for the last', from: 1, to: 31 },
  { name: 'month', values: 'numbers from 1 to 12, or jan to dec', from: 1, to: 12 },
  { name: 'day of the week', values: 'numbers from 0 (Sunday) to 7, or sun to sat', from: 0, to: 7 },
]

/** Faults of the fields of an invalid expression: a field is faulty if it is invalid when all others are `*`. */
function faultsIn(fields: readonly string[]): string {
  const known = fieldsWithSeconds.slice(-fields.length)
  const faults = known.flatMap((field, at) => {
    const alone = known.map((_, index) => (index === at ? fields[at] : '*')).join(' ')
    return cronOf(alone) ? [] : [faultOf(field, fields[at]!)]
  })
  return faults.length > 0 ? faults.join(' ') : `"${fields.join(' ')}" cannot be read. ${forms}`
}

const forms = 'A field is *, a value, a list (1,15), a range (1-5) or a step (*/10).'

function faultOf({ name, values, from, to }: Field, written: string): string {
  const shown = written.slice(0, 100)
  const beyond = written.split(/[,/#-]/).find(part => /^\d+$/.test(part) && (Number(part) < from || Number(part) > to))
  if (/\/0*$/.test(written)) return `The ${name} "${shown}" has no step: write a number of at least 1 behind the "/".`
  const [, first, last] = /^(\d+)-(\d+)/.exec(written) ?? []
  if (beyond === undefined && first !== undefined && Number(first) > Number(last))
    return `The ${name} "${shown}" is a range that ends before it begins: write the smaller number first.`
  if (beyond !== undefined && !written.includes('/'))
    return `The ${name} "${shown}" is out of range: it takes ${values}.`
  return `The ${name} "${shown}" cannot be read: it takes ${values}. ${forms}`
}
