import { type TimeZone, timeZone } from '#platform/time-zone.ts'
import type { CommitFilePattern } from './commit-files.ts'
import { type CronTimes, readCron } from './cron.ts'
import { nextDue } from './due-times.ts'

/** Times of a schedule, as stored: ISO 8601. */
export interface Times {
  readonly cron_schedule: string | null
  readonly run_at: string | null
  readonly time_zone: string
  readonly repeat: boolean
  readonly maximum_run_count: number | null
  readonly end_at: string | null
  readonly run_count: number
}

/** Conditions under which a due time creates something. */
export interface Conditions {
  readonly new_commits_only: boolean
  readonly commit_file_patterns: readonly CommitFilePattern[]
  readonly commit_file_pattern_match: 'any' | 'all'
  readonly allow_parallel_execution: boolean
}

export const documentAad = (id: string, which: SealedDocument): string => `scheduled_activities:${id}:${which}`
export const sealedDocuments = ['property_overrides', 'settings_overrides', 'notify'] as const
export type SealedDocument = (typeof sealedDocuments)[number]

/** Path of the rights to the schedules of a node. */
export const schedulesPath = (nodePath: string): string => `${nodePath}/scheduled_activities`

/** The other way round. */
export const nodeOfSchedules = (path: string): string => path.slice(0, path.lastIndexOf('/'))

export interface TimesFault {
  readonly attribute: keyof Times | keyof Conditions
  readonly detail: string
}

/** Faults of the times and conditions of a request, of each attribute and of their combination. */
export function scheduleFaults(wanted: Times & Conditions): TimesFault[] {
  const faults: TimesFault[] = []
  const say = (attribute: TimesFault['attribute'], detail: string) => faults.push({ attribute, detail })
  const { cron_schedule, run_at } = wanted
  if ((cron_schedule === null) === (run_at === null))
    say('cron_schedule', 'A schedule has a cron_schedule or a run_at: exactly one of the two.')
  const cron = cron_schedule === null ? undefined : readCron(cron_schedule)
  if (cron && 'fault' in cron) say('cron_schedule', cron.fault)
  if (!timeZone(wanted.time_zone))
    say(
      'time_zone',
      `"${wanted.time_zone}" is no time zone: write one of the IANA names, such as Europe/Berlin or UTC.`,
    )
  if (run_at !== null && wanted.repeat) say('repeat', 'A run_at comes once. What repeats has a cron_schedule.')
  if (wanted.commit_file_patterns.length > 0 && !wanted.new_commits_only)
    say('commit_file_patterns', 'Patterns narrow what new_commits_only lets through: set that too.')
  return faults
}

/**
 * Next due time after an instant, ISO 8601; null when there is none.
 *
 * @param times valid, in the form of the database
 */
export function nextRunAt(times: Times, after: string): string | null {
  if (times.maximum_run_count !== null && times.run_count >= times.maximum_run_count) return null
  const { run_at, end_at } = times
  if (run_at !== null) return run_at > after && (end_at === null || run_at <= end_at) ? run_at : null
  return before(times.end_at, nextDue(...clockOf(times), Date.parse(after)))
}

/** Number of future times that a schedule's record lists. */
const mostUpcoming = 5

/** Number of future times that a preview lists: enough to see a change of the clocks or the end of a month. */
export const mostPreviewed = 10

/**
 * The next due times of a schedule, as wall-clock times in its own zone (`2027-03-28T03:00:00+02:00`): the stored one
 * and those behind it, up to its end and its last run.
 */
export function nextDueTimes(times: Times & { readonly next_run_at: string | null }, most = mostUpcoming): string[] {
  const { next_run_at, maximum_run_count, run_count, run_at, repeat, time_zone } = times
  if (next_run_at === null) return []
  const left = maximum_run_count === null ? most : Math.min(most, maximum_run_count - run_count)
  const following = run_at !== null || !repeat ? () => null : followingOf(times)
  const told: string[] = []
  for (let at: string | null = next_run_at; at !== null && told.length < left; at = following(at)) told.push(at)
  return told.map(at => inZone(at, timeZone(time_zone)))
}

/**
 * Due times of a schedule from an instant on, ISO 8601: the stored next one and those behind it, up to its end and its
 * last run. A maximum number of runs also counts the due times in front of the instant, at most 10,000 of them.
 */
export function* dueTimesFrom(times: Times & { readonly next_run_at: string }, from: string): Generator<string> {
  const { next_run_at, maximum_run_count, run_count, run_at, repeat } = times
  const start = Date.parse(from)
  const recurs = run_at === null && repeat
  const following = recurs ? followingOf(times) : () => null
  let left = maximum_run_count === null ? Number.POSITIVE_INFINITY : maximum_run_count - run_count
  let at: string | null = next_run_at
  // Without a maximum nothing has to be counted, and the times in front are skipped at once.
  if (recurs && maximum_run_count === null && Date.parse(at) < start)
    at = before(times.end_at, nextDue(...clockOf(times), start - 1))
  let skipped = 0
  for (; at !== null && left > 0 && skipped < mostCounted; at = following(at), left--)
    if (Date.parse(at) >= start) yield at
    else skipped += 1
}

/** An instant as wall-clock time of a zone, with its offset; to the second, or with its fraction if it has one. */
function inZone(at: string, zone: TimeZone | undefined): string {
  const instant = Date.parse(at)
  const offset = zone?.offsetAt(instant) ?? 0
  const wall = new Date(instant + offset).toISOString().slice(0, 19)
  const [, fraction = ''] = /(\.\d*[1-9])0*Z$/.exec(at) ?? []
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${wall}${fraction}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Due times of a schedule that was last examined before `next_run_at`. */
export interface ComeDue {
  readonly due: readonly string[]
  /** Missed due times that are too late to catch up on: the first of them, and how many. */
  readonly missed: { readonly times: readonly string[]; readonly count: number; readonly last: string } | undefined
  readonly next: string | null
}

/** Seconds within which a due time counts as noticed in time, even without catching up: polling is not continuous. */
export const notMissedYet = 60
const mostAtOnce = 100
const mostCounted = 10_000

/**
 * @param now ISO 8601, the database's
 * @param catchUp seconds after which a missed due time no longer counts (`schedule_catch_up`)
 */
export function comeDue(times: Times & { readonly next_run_at: string }, now: string, catchUp: number): ComeDue {
  const latest = Date.parse(now)
  const inTime = latest - Math.max(catchUp, notMissedYet) * 1_000
  const following = times.run_at !== null || !times.repeat ? () => null : followingOf(times)
  const due: string[] = []
  const missed: string[] = []
  let count = 0
  let last = ''
  let at: string | null = times.next_run_at
  while (at !== null && Date.parse(at) <= latest && due.length < mostAtOnce) {
    if (Date.parse(at) >= inTime) due.push(at)
    else {
      count += 1
      last = at
      if (missed.length < mostAtOnce) missed.push(at)
      // After a year without the service the list of a schedule by the second would be useless.
      if (count === mostCounted && times.run_at === null && times.repeat) {
        at = before(times.end_at, nextDue(...clockOf(times), inTime - 1))
        continue
      }
    }
    at = following(at)
  }
  return { due, missed: count > 0 ? { times: missed, count, last } : undefined, next: at }
}

function followingOf(times: Times): (at: string) => string | null {
  const [cron, zone] = clockOf(times)
  return at => before(times.end_at, nextDue(cron, zone, Date.parse(at)))
}

function clockOf({ cron_schedule, time_zone }: Times): [CronTimes, TimeZone] {
  const cron = readCron(cron_schedule ?? '')
  const zone = timeZone(time_zone)
  if ('fault' in cron || !zone) throw new Error(`a schedule is stored with "${cron_schedule}" in ${time_zone}`)
  return [cron, zone]
}

/** Time as the database writes it, to the microsecond; null after the schedule's end. */
function before(end: string | null, at: number | undefined): string | null {
  if (at === undefined || (end !== null && at > Date.parse(end))) return null
  return new Date(at).toISOString().replace('Z', '000Z')
}
