import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { type Upcoming, upcoming } from './upcoming.ts'

const path = '/api/scheduled_activities/upcoming'
/** Maximum number of due times, and so of schedules. */
const most = 1_000
const day = 86_400_000
const longest = 366 * day

interface Listed extends Upcoming {
  readonly id: string
  readonly kind: string
  readonly node_path: string
  readonly action: string | null
  readonly workflow_code: string | null
}

const time = Type.String({ format: 'date-time', shouldBe: 'a time such as 2026-11-21T02:00:00Z' })
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** GET …/upcoming: when enabled schedules are due within a period, for a calendar. */
export const upcomingView: AnyView = view<Target & { period?: { from: number; to: number } }>({
  name: 'scheduled_activities.upcoming',
  summary: 'Due times of the enabled schedules within a period, by schedule',
  method: 'GET',
  paths: [path],
  parameters: {
    from: { schema: time, describe: 'Start of the period; default now.' },
    to: { schema: time, describe: 'End of the period, exclusive, at most 366 days later; default 7 days later.' },
  },
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'Id of the schedule.' }),
        type: Type.Enum(['scheduled_change', 'scheduled_workflow']),
        attributes: Type.Object({
          node_path: Type.String(),
          action: nullableText('The action that it runs; null for a workflow.'),
          workflow_code: nullableText('The workflow that it runs; null for an action.'),
          time_zone: Type.String({ description: 'Time zone of its cron expression.' }),
          due_times: Type.Array(Type.String({ format: 'date-time' }), { description: 'In UTC, the earliest first.' }),
        }),
        links: Type.Object({ self: Type.String() }),
      }),
    ),
    links: Type.Object({ self: Type.String() }),
    meta: Type.Object({
      from: Type.String({ format: 'date-time' }),
      to: Type.String({ format: 'date-time' }),
      partial_response: Type.Boolean({ description: `Whether only the ${most} earliest due times are listed.` }),
    }),
  }),
  find: async () => ({}),
  needs: () => [],
  run: async (_, { database, actor, query }) => {
    const { now } = (await database.one(sql<{ now: string }>`select sluice_now() as now`))!
    const { from, to } = periodOf(query, now)
    const { rights } = actor
    const schedules = await database.rows(
      sql<Listed>`
      select s.id, s.kind, n.path as node_path, s.action, s.workflow_code, s.cron_schedule, s.run_at, s.time_zone,
             s.repeat, s.maximum_run_count, s.end_at, s.run_count, s.next_run_at
        from scheduled_activities s
        join nodes n on n.id = s.node_id and n.destroyed_at is null
       where s.enabled and s.next_run_at < ${to}::timestamptz
         and (s.end_at is null or s.end_at >= ${from}::timestamptz)
         and ${rights.visible({ projectId: sql`s.project_id`, path: sql`s.path` })}
       order by s.next_run_at, s.id
       limit ${most + 1}`,
      { plannedAnew: true },
    )
    // The earliest due times belong to the schedules that are due first.
    const { due, cut } = upcoming(schedules.slice(0, most), { from, to, most })
    const data = due.map(({ schedule: { id, kind, node_path, action, workflow_code, time_zone }, times }) => ({
      id,
      type: kind,
      attributes: { node_path, action, workflow_code, time_zone, due_times: times },
      links: { self: `/api/scheduled_activities/${id}` },
    }))
    const meta = { from, to, partial_response: cut || schedules.length > most }
    return { body: { data, links: { self: path }, meta }, headers: { 'cache-control': 'no-store' } }
  },
})

/** @throws Failure `wrong-kind` for a period that ends before it starts, or is too long */
function periodOf(query: Readonly<Record<string, string | string[]>>, now: string): { from: string; to: string } {
  const from = (query['from'] as string | undefined) ?? now
  const to = (query['to'] as string | undefined) ?? new Date(Date.parse(from) + 7 * day).toISOString()
  const length = Date.parse(to) - Date.parse(from)
  const source = { source: { parameter: 'to' } }
  if (length <= 0) throw failure('wrong-kind', 'The period ends before it starts: "to" is later than "from".', source)
  if (length > longest) throw failure('wrong-kind', 'The period has at most 366 days.', source)
  return { from, to }
}
