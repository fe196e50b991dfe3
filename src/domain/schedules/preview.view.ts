import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { instants, type Written } from './schedule.store.ts'
import { mostPreviewed, nextDueTimes, nextRunAt, scheduleFaults } from './schedule.ts'
import { timing, usual } from './schedule-attributes.ts'

const path = '/api/scheduled_activities/preview'

/** POST …/preview: when a schedule with these times would be due, before it is saved; nothing is written. */
export const previewView: AnyView = view<Target>({
  name: 'scheduled_activities.preview',
  summary: 'Preview the next ten due times of a schedule, in its own time zone',
  method: 'POST',
  paths: [path],
  attributes: Type.Object(timing, { additionalProperties: false }),
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('schedule_preview'),
      attributes: Type.Object({
        time_zone: Type.String(),
        next_run_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
        next_due_times: Type.Array(Type.String({ format: 'date-time' }), { maxItems: mostPreviewed }),
      }),
    }),
    links: Type.Object({ self: Type.String() }),
  }),
  find: async () => ({}),
  // It reads no record and no user: it is arithmetic.
  needs: () => [],
  run: async (_, { database, attributes }) => {
    const given = attributes as Partial<Written>
    const asked: Written = { ...usual, ...given, repeat: given.repeat ?? !given.run_at }
    const { now, run_at, end_at } = await instants(database, asked)
    const times = { ...asked, run_at, end_at, run_count: 0 }
    refuse(scheduleFaults(times).map(({ attribute, detail }) => fault(attribute, detail)))
    const next_run_at = nextRunAt(times, now)
    if (run_at !== null && run_at <= now) refuse([fault('run_at', `It is past: it is ${now} now.`)])
    if (next_run_at === null) refuse([fault('end_at', 'It ends before it is ever due.')])
    const next_due_times = nextDueTimes({ ...times, next_run_at }, mostPreviewed)
    const shown = { time_zone: times.time_zone, next_run_at, next_due_times }
    return {
      body: { data: { id: 'preview', type: 'schedule_preview', attributes: shown }, links: { self: path } },
      headers: { 'cache-control': 'no-store' },
    }
  },
})

const fault = (attribute: string, detail: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
})

function refuse(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
