import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Attempt } from '#protocol/runner-protocol.ts'
import type { ClaimedStep } from '../engine.port.ts'

/** Queries of runners, and of the code that talks to them, about attempts in progress. */

const isUnderWay = sql`s.status = 'running' and s.body = 'open'`

/**
 * Runners among these that have something to start or to stop. A runner may have as many steps at once as its activity
 * allows, or the one that it is for, so a queued step only means that it may ask.
 */
export const newsOf = (
  queries: Queries,
  runnerIds: readonly string[],
): Promise<{ runnerId: string; queued: boolean; cancel: (Attempt & { reason: string })[] }[]> =>
  queries.rows(sql<{ runnerId: string; queued: boolean; cancel: (Attempt & { reason: string })[] }>`
    select r.id as "runnerId",
           a.status = 'running' and a.pause_state = 'none' and a.cancel_requested_at is null and not a.rejected
             and a.n_queued > 0
             and case when r.step_id is null then a.n_running < a.parallel_steps
                      else exists (select from steps s where s.id = r.step_id and s.status = 'queued') end as queued,
           coalesce((select json_agg(json_build_object('stepId', s.id, 'attempt', s.attempt, 'fence', s.fence,
                                                       'reason', 'cancelled by ' || coalesce(a.cancelled_by, 'the service')))
                       from steps s
                      where s.runner_id = r.id and ${isUnderWay} and a.cancel_requested_at is not null), '[]') as cancel
      from runners r
      join activities a on a.id = r.activity_id
     where r.id = any(${[...runnerIds]}::uuid[])
       and ((a.n_queued > 0 and not a.final) or a.cancel_requested_at is not null)`)

/** The attempts that a runner is running according to the database. */
export const attemptsOf = (queries: Queries, runnerId: string): Promise<Attempt[]> =>
  queries.rows(sql<Attempt>`
    select s.id as "stepId", s.attempt, s.fence from steps s where s.runner_id = ${runnerId}::uuid and ${isUnderWay}`)

/** The attempt of a step that is under way, and its runner. */
export const attemptUnderWay = (
  queries: Queries,
  stepId: string,
): Promise<(Attempt & { readonly runnerId: string }) | undefined> =>
  queries.one(sql<Attempt & { runnerId: string }>`
    select s.runner_id as "runnerId", s.id as "stepId", s.attempt, s.fence
      from steps s
     where s.id = ${stepId}::uuid and s.runner_id is not null and ${isUnderWay}`)

/** The steps of running attempts, as claiming them returned them. Attempts that have ended are left out. */
export const claimedSteps = (queries: Queries, attempts: readonly Attempt[]): Promise<ClaimedStep[]> =>
  queries.rows(sql<ClaimedStep>`
    select s.id, s.activity_id, s.attempt, s.fence, s.action, s.step_name, s.full_path, s.definition
      from steps s
      join unnest(${attempts.map(each => each.stepId)}::uuid[], ${attempts.map(each => each.fence)}::bigint[]) given (id, fence)
        on given.id = s.id and given.fence = s.fence
     where ${isUnderWay}
     order by s.tree_order`)

/** Start time of the newest attempt of a step. */
export const attemptBegan = async (queries: Queries, stepId: string): Promise<string | null | undefined> =>
  (await queries.one(sql<{ at: string | null }>`select started_at as at from steps where id = ${stepId}::uuid`))?.at

/** Owner of an attempt's results; undefined when it is not the newest, or is over. */
export const placeOfAttempt = (
  queries: Queries,
  { stepId, attempt, fence }: Attempt,
): Promise<{ activityId: string; projectId: string; path: string } | undefined> =>
  queries.one(sql<{ activityId: string; projectId: string; path: string }>`
    select s.activity_id as "activityId", s.project_id as "projectId", s.path
      from steps s
     where s.id = ${stepId}::uuid and s.attempt = ${attempt} and s.fence = ${fence} and ${isUnderWay}`)

/**
 * Place of the step of an attempt's token, as long as the attempt is in progress and not older than the given minutes.
 */
export const placeOfToken = (token: {
  stepId: string
  fence: number
  minutes: number
}): Sql<{ project_id: string; path: string }> =>
  sql<{ project_id: string; path: string }>`
    select s.project_id, s.path
      from steps s
     where s.id = ${token.stepId}::uuid and s.fence = ${token.fence} and ${isUnderWay}
       and sluice_now() < s.started_at + make_interval(mins => ${token.minutes}::int)`

/** Steps above one, root first: their ids, names and paths. `offset 0` as in `neighbourhoodOf`. */
export const stepsAbove = (
  queries: Queries,
  ids: readonly string[],
): Promise<
  { below: string; id: string; step_name: string; full_path: string; action: string | null; depth: number }[]
> =>
  queries.rows(sql<{
    below: string
    id: string
    step_name: string
    full_path: string
    action: string | null
    depth: number
  }>`
    with recursive above as (
      select s.id as below, s.parent_id as id, 1 as depth from steps s where s.id = any(${[...ids]}::uuid[])
      union all
      select a.below, p.parent_id, a.depth + 1
        from above a
       cross join lateral (select s.parent_id from steps s where s.id = a.id offset 0) p
    )
    select a.below, s.*, a.depth
      from above a
     cross join lateral (select s.id, s.step_name, s.full_path, s.action from steps s where s.id = a.id offset 0) s
     order by a.below, a.depth desc`)
