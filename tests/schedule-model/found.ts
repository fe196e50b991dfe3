import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import type { Scheduled } from './scheduled.ts'
import type { ScheduleWorld } from './world.ts'

/** State of a schedule, in the tables or in the judge. */
export interface Verdict {
  readonly enabled: boolean
  /** Whether the service disabled it, which has a reason. */
  readonly wasDisabled: boolean
  readonly nextRunAt: string | null
  readonly runCount: number
  /** State of each due time, except missed ones. */
  readonly states: Readonly<Record<string, string>>
  readonly missedCount: number
  /** User in whose name each due time created something. */
  readonly made: Readonly<Record<string, string>>
  readonly events: Readonly<Record<string, number>>
}

const time = (at: number) => new Date(at * 1_000).toISOString()
/** Entries sorted by key, so that equal states have equal texts. */
const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function verdictOf(of: Scheduled): Verdict {
  const states = [...of.states].filter(([, state]) => state !== 'missed')
  return {
    enabled: of.terms.enabled,
    wasDisabled: of.wasDisabled,
    nextRunAt: of.next === null ? null : time(of.next),
    runCount: of.runCount,
    states: sorted(states.map(([at, state]) => [time(at), state])),
    missedCount: of.missedCount,
    made: sorted([...of.made].map(([at, { isPurged }]) => [time(at), isPurged ? 'purged' : of.createdBy])),
    events: sorted(Object.entries(of.events)),
  }
}

/** Existing schedules, by id. */
export async function readAll({ owner }: ScheduleWorld): Promise<ReadonlyMap<string, Verdict>> {
  const rows = await owner.rows(sql<Row>`
    select s.id, s.enabled, s.disabled_reason is not null as "wasDisabled", s.next_run_at as "nextRunAt", s.run_count as "runCount",
           (select json_agg(o order by due_at) from schedule_occurrences o where o.schedule_id = s.id) as occurrences,
           (select json_object_agg(id, created_by)
              from (select id, scheduled_activity_id from changes
                    union all select id, scheduled_activity_id from workflow_runs) of_schedule
              join activities m using (id) where of_schedule.scheduled_activity_id = s.id) as made,
           (select json_agg(json_build_object('type', e.type, 'missed', e.attributes ->> 'missed_count'))
              from events e where e.source_id = s.id) as events
      from scheduled_activities s`)
  return new Map(rows.map(row => [row.id, verdictFrom(row)]))
}

interface Row extends Pick<Verdict, 'enabled' | 'wasDisabled' | 'runCount'> {
  readonly id: string
  readonly nextRunAt: string | null
  readonly occurrences: readonly { due_at: string; state: string; activity_id: string | null }[] | null
  readonly made: Readonly<Record<string, string>> | null
  readonly events: readonly { type: string; missed: string | null }[] | null
}

function verdictFrom({ id, nextRunAt, occurrences, made, events, ...row }: Row): Verdict {
  const noted = (occurrences ?? []).map(each => ({ ...each, due: new Date(each.due_at).toISOString() }))
  const makers = noted.flatMap(each =>
    each.activity_id === null ? [] : [[each.due, creatorOf(made?.[each.activity_id])] as const],
  )
  // Each was created for one due time.
  const ids = noted.flatMap(each => each.activity_id ?? [])
  assert.deepEqual(
    Object.keys(made ?? {}).filter(each => !ids.includes(each)),
    [],
    `${id} made more`,
  )
  const types = Map.groupBy(events ?? [], ({ type }) => shortened(type))
  return {
    ...row,
    nextRunAt: nextRunAt === null ? null : new Date(nextRunAt).toISOString(),
    states: sorted(noted.filter(({ state }) => state !== 'missed').map(({ due, state }) => [due, state])),
    missedCount: (events ?? []).reduce((sum, { missed }) => sum + Number(missed ?? 0), 0),
    made: sorted(makers),
    events: sorted([...types].map(([type, all]) => [type, all.length])),
  }
}

/** Name of a creator without its number, which differs between consecutive persons. Purged ones are unknown. */
const creatorOf = (username: string | undefined): string => username?.split('-')[0] ?? 'purged'

/** `api:scheduled_changes:change_creation:create` and that of runs are the same for the judge: `creation:create`. */
const shortened = (type: string): string =>
  type
    .replace(/^\w+:scheduled_\w+:/, '')
    .replace(/^(change|workflow_run)_creation/, 'creation')
    .replace('commit_file_patterns', 'patterns')
