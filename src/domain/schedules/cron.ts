import { Cron } from 'croner'
import { messageOf } from '#platform/failure.ts'

/** A cron expression over wall-clock times, which know no time zone: `2027-03-28 02:30` as the milliseconds of that UTC. */
export interface CronTimes {
  /** The first wall-clock time later than this one that the expression names; undefined when none ever comes. */
  after(wall: number): number | undefined
  /** Every hour of the days that it names: such an expression means instants, and not hours of the clock. */
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
 * Reads five fields (minute, hour, day of the month, month, day of the week), six (seconds first), or a nickname.
 *
 * @returns what is wrong with it, in words that help, where it cannot be read or names no time that ever comes
 */
export function readCron(text: string): CronTimes | { readonly fault: string } {
  const written = text.trim().toLowerCase()
  const expression = nicknames.get(written) ?? written
  const fields = expression.split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6)
    return { fault: `Write five fields, six with seconds first, or one of ${[...nicknames.keys()].join(', ')}.` }
  let cron: Cron
  try {
    // The library counts wall-clock times; what they are in a time zone is decided in due-times.ts.
    cron = new Cron(expression, { timezone: 'Etc/UTC', paused: true, mode: '5-or-6-parts' })
  } catch (error) {
    return { fault: said(error) }
  }
  const after = (wall: number) => cron.nextRun(new Date(wall))?.getTime()
  if (after(Date.UTC(2026, 0, 1)) === undefined) return { fault: 'No day ever comes that it names.' }
  return { after, everyHour: /^[*?]$/.test(fields.at(-4)!) }
}

const said = (error: unknown): string => {
  const words = messageOf(error).replace(/^CronPattern: /, '')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!]$/.test(words) ? '' : '.'}`
}
