import { type Sql, sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { ParentRow, Resource } from '#platform/jsonapi/resource.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { outcomeReason } from './outcome-reason.sql.ts'
import { reportedStatuses } from './rules/states.ts'
import { activityRow } from './step.resource.ts'

/**
 * Earlier attempts, and the newest one from the row of its step. A step that waits to run again has its newest attempt
 * among the earlier ones. A step that a retry kept as it had ended has the attempts of the step that was executed, and
 * its own copy of the newest one only after that was purged.
 */
const attempts = sql`
  (select e.activity_id, e.step_id, e.attempt, true as superseded, e.runner_id, e.started_at, e.finished_at,
          e.error_message
     from step_attempts e
    union all
   select n.activity_id, n.id, n.attempt, false, n.runner_id, n.started_at, n.finished_at, n.error_message
     from steps n
    where n.attempt > 0 and n.started_at is not null
      and not exists (select from step_attempts e
                       where e.activity_id = n.activity_id and e.step_id = n.id and e.attempt = n.attempt)
      and (n.ran_as is null or not exists (select from steps o where o.id = n.ran_as)))`

/** JSON:API resource of the attempts of steps: the times that a runner took a step on. */
export const stepAttemptResource: Resource = {
  type: 'step_attempt',
  describe: 'One attempt of a step: a runner took it on, and it ended or is running.',
  // Derived, so that an attempt keeps its id when the next one begins.
  id: sql`md5(t.step_id || '/' || t.attempt)::uuid`,
  from: sql`${attempts} t
            join steps s on s.id = t.step_id and s.activity_id = t.activity_id
            join activities a on a.id = t.activity_id and a.kind = 'change'`,
  where: isOfExistingNode(sql`a.node_id`),
  lists: [
    {
      path: '/api/steps/:id/attempts',
      parent: ({ id }) => stepWithOriginals(id!),
      scope: ({ originals }) => sql<boolean>`t.step_id = any(${originals as string[]}::uuid[])`,
    },
    {
      path: '/api/changes/:id/attempts',
      parent: ({ id }) => activityRow(id!, 'change'),
      scope: ({ id }) => sql<boolean>`t.activity_id = ${id}::uuid`,
    },
  ],
  shows: [],
  columns: {
    attempt: column.integer(sql`t.attempt`, 'Its number among the attempts of the step in its change, from 1.'),
    status_code: column.oneOf(
      sql`(case when t.superseded then 'error' else s.reported_status end) collate "C"`,
      reportedStatuses,
      'How it ended; running: it has not.',
    ),
    superseded: column.boolean(sql`t.superseded`, 'Whether the service queued the step again after it.'),
    runner_id: { ...column.id(sql`t.runner_id`, 'The runner that executed it.'), nullable: true },
    exit_code: column.integerOrNull(sql`(case when not t.superseded then s.exit_code end)`, 'Exit code of the action.'),
    error_message: column.longTextOrNull(sql`t.error_message`, 'Why it failed.'),
    outcome_reason: column.textOrNull(
      sql`(case when t.superseded then 'The service queued the step again, because its runner was lost (on_runner_lost: restart).'
                else ${outcomeReason} end collate "C")`,
      'Reason of its outcome, where the action does not tell.',
    ),
    retried_by: column.textOrNull(
      sql`(case when t.attempt = 1 and s.retry_of is not null then a.created_by end collate "C")`,
      'User who retried the change; null for the first attempt, and for those that the service began after a lost runner.',
    ),
    started_at: column.time(sql`t.started_at`, 'When a runner took it on.'),
    finished_at: column.timeOrNull(
      sql`t.finished_at`,
      'When it ended; with steps below the step, when these had ended too. Null while it runs.',
    ),
    step_id: column.id(sql`t.step_id`, 'The step; an earlier change has its own for the same action.'),
    change_id: column.id(sql`t.activity_id`, 'The change in which it ran.'),
  },
  links: row => ({ step: `/api/steps/${row['step_id']}`, change: `/api/changes/${row['change_id']}` }),
  defaultSort: [{ column: 'started_at', direction: 'asc' }],
  limit: { default: 1000, maximum: 1000 },
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
}

/** Maximum number of changes that the attempts of a step are collected from. */
const mostRetries = sql.raw('100')

/**
 * The parent of a list: a step of a change, with `originals`: itself and the steps that it is a retry of, each in the
 * change that executed it.
 */
const stepWithOriginals = (id: string): Sql<ParentRow> => sql<ParentRow>`
  select s.id, s.path, s.project_id,
         array(with recursive line (id, retry_of, depth) as (
                 select e.*, 1 from ${executedOf(sql`s.id`)} e
                  union all
                 select e.*, line.depth + 1
                   from line cross join lateral ${executedOf(sql`line.retry_of`)} e
                  where line.depth < ${mostRetries}
               )
               select line.id from line) as originals
    from steps s join activities a on a.id = s.activity_id
   where s.id = ${id}::uuid and a.kind = 'change' and ${isOfExistingNode(sql`a.node_id`)}`

/** The step that was executed in place of a kept one, unless it was purged; and of which step it is the retry. */
const executedOf = (id: Sql): Sql => sql`
  (select w.id, case when w.ran_as is null then w.retry_of end as retry_of
     from steps k
     join steps w on w.id = coalesce((select o.id from steps o where o.id = k.ran_as), k.id)
    where k.id = ${id})`
