import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import type { Target } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { type TimeZone, timeZone } from '#platform/time-zone.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { type Day, lastDays } from './days.ts'
import { waitingStepResource } from './waiting-step.resource.ts'

/** Maximum of each count; one more is counted to know whether it is exact. */
const countLimit = 10_000
const dayCount = 7
const dueCount = 5

const count = (description: string) => Type.Integer({ description })
const nullable = (schema: Type.TSchema, description: string) => Type.Union([schema, Type.Null()], { description })

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ description: 'Id of the user whose summary it is.' }),
    type: Type.Literal('summary'),
    attributes: Type.Object({
      active_count: count('Changes and workflow runs that have not ended.'),
      running_count: count('Those of them that are running.'),
      waiting_for_me_count: count('Steps that wait for an approval or decision that the caller may make.'),
      failed_count: count('Changes and workflow runs created in the last 24 hours that failed.'),
      counts_exact: Type.Boolean({ description: `Whether no count was cut at ${countLimit}.` }),
      due_next: Type.Array(
        Type.Object({
          id: Type.String({ format: 'uuid' }),
          type: Type.Enum(['scheduled_change', 'scheduled_workflow']),
          node_path: Type.String(),
          action: nullable(Type.String(), 'The action that it runs; null for a workflow.'),
          workflow_code: nullable(Type.String(), 'The workflow that it runs; null for an action.'),
          time_zone: Type.String(),
          next_run_at: Type.String({ format: 'date-time' }),
        }),
        { description: `The ${dueCount} enabled schedules that are due next.` },
      ),
      days: Type.Array(
        Type.Object({
          date: Type.String({ format: 'date' }),
          succeeded_count: count('Successful ones of those created on that day.'),
          failed_count: count('Failed ones of those created on that day.'),
          success_ratio: nullable(
            Type.Number(),
            'Part of the successful ones of both, from 0 to 1; null if there are none.',
          ),
        }),
        { description: `The last ${dayCount} days of the time zone, today last.` },
      ),
    }),
    links: Type.Object({ self: Type.String() }),
  }),
})

/** GET /api/summary: counts of running, failed and waiting work, and the next schedules, as far as the caller may read them. */
export const summaryView: AnyView = view<Target & { zone: TimeZone }>({
  name: 'summary.show',
  summary: 'Numbers of running, waiting and failed activities, next schedules, and success ratio of the last week',
  method: 'GET',
  paths: ['/api/summary'],
  parameters: {
    time_zone: {
      schema: Type.String({ minLength: 1, maxLength: 100 }),
      describe: 'IANA name of the time zone of the days, such as Europe/Berlin; default UTC.',
    },
  },
  answer,
  find: async ({ query }) => {
    const name = (query['time_zone'] as string | undefined) ?? 'UTC'
    const zone = timeZone(name)
    if (zone) return { zone }
    const detail = `"${name}" is not a time zone. Use an IANA name, such as Europe/Berlin or UTC.`
    throw failure('wrong-kind', detail, { source: { parameter: 'time_zone' } })
  },
  needs: () => [],
  run: async ({ zone }, { database, actor }) => {
    const { now } = (await database.one(sql<{ now: string }>`select sluice_now() as now`))!
    const days = lastDays(zone, Date.parse(now), dayCount)
    const [counts, due_next, outcomes] = await Promise.all([
      countsFor(database, actor),
      dueNext(database, actor),
      outcomesOf(database, actor, days),
    ])
    const attributes = { ...counts, due_next, days: outcomes }
    const self = '/api/summary'
    const body = { data: { id: actor.userId ?? 'system', type: 'summary', attributes, links: { self } } }
    const etag = `"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 22)}"`
    return { body, headers: { etag, 'cache-control': 'private, no-cache' } }
  },
})

/** Counts rows up to the limit. */
const counted = (rows: Sql): Sql<number> =>
  sql<number>`(select count(*)::int from (${rows} limit ${countLimit + 1}) counted)`

const readableActivity = ({ rights }: Actor): Sql<boolean> =>
  sql<boolean>`(${rights.visible({ projectId: sql`a.project_id`, path: sql`a.path` })} and ${isOfExistingNode(sql`a.node_id`)})`

const failed = sql<boolean>`a.reported_status in ('error', 'system_error')`

async function countsFor(queries: Queries, actor: Actor) {
  const readable = readableActivity(actor)
  const { from, where, named, rights } = waitingStepResource
  const forMe = named!['waiting_for_me']!.sql('true', actor)
  const found = (await queries.one(
    sql<{ active: number; running: number; waiting: number; failed: number }>`
    select ${counted(sql`select from activities a where not a.final and ${readable}`)} as active,
           ${counted(sql`select from activities a where not a.final and a.status = 'running' and ${readable}`)} as running,
           ${counted(sql`select from ${from} where ${where!} and ${forMe} and ${actor.rights.visible(rights as never)}`)} as waiting,
           ${counted(sql`select from activities a
                          where ${failed} and a.created_at >= (select sluice_now()) - interval '24 hours' and ${readable}`)} as failed`,
    { plannedAnew: true },
  ))!
  const most = (value: number) => Math.min(value, countLimit)
  return {
    active_count: most(found.active),
    running_count: most(found.running),
    waiting_for_me_count: most(found.waiting),
    failed_count: most(found.failed),
    counts_exact: Object.values(found).every(value => value <= countLimit),
  }
}

const dueNext = (queries: Queries, { rights }: Actor) =>
  queries.rows(
    sql`
    select s.id, s.kind as type, n.path as node_path, s.action, s.workflow_code, s.time_zone,
           s.next_run_at
      from scheduled_activities s
      join nodes n on n.id = s.node_id and n.destroyed_at is null
     where s.enabled and s.next_run_at is not null
       and ${rights.visible({ projectId: sql`s.project_id`, path: sql`s.path` })}
     order by s.next_run_at, s.id
     limit ${dueCount}`,
    { plannedAnew: true },
  )

/** Outcomes of the activities created on each day, at most the newest 10,000 of a day. */
async function outcomesOf(queries: Queries, actor: Actor, days: readonly Day[]) {
  const instants = (of: 'from' | 'to') => days.map(day => new Date(day[of]).toISOString())
  const found = await queries.rows(
    sql<{ at: number; succeeded: number; failed: number }>`
    select day.at::int as at, outcome.succeeded, outcome.failed
      from unnest(${instants('from')}::timestamptz[], ${instants('to')}::timestamptz[]) with ordinality as day (since, until, at)
     cross join lateral (
           select (count(*) filter (where ended.success))::int as succeeded,
                  (count(*) filter (where not ended.success))::int as failed
             from (select a.reported_status = 'success' as success
                     from activities a
                    where a.created_at >= day.since and a.created_at < day.until
                      and (a.reported_status = 'success' or ${failed})
                      and ${readableActivity(actor)}
                    order by a.created_at desc
                    limit ${countLimit}) ended) outcome`,
    { plannedAnew: true },
  )
  const byDay = new Map(found.map(each => [each.at - 1, each]))
  return days.map(({ date }, at) => {
    const { succeeded = 0, failed: failures = 0 } = byDay.get(at) ?? {}
    const all = succeeded + failures
    return {
      date,
      succeeded_count: succeeded,
      failed_count: failures,
      success_ratio: all === 0 ? null : Math.round((succeeded / all) * 10_000) / 10_000,
    }
  })
}
