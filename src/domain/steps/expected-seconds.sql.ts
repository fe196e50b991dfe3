import { type Sql, sql } from '#platform/db/sql.ts'

/** Activities of the node that are searched for earlier ones of the same name. */
const mostOnNode = sql.raw('1000')
/** Earlier activities of the same name whose steps are read. */
const mostActivities = sql.raw('20')
/** Steps that are read: of an activity with 10,000 steps, those of two earlier ones. */
const mostSteps = sql.raw('20000')
/** Successes of a step from which its duration is expected. */
const mostSuccesses = sql.raw('10')

/** Activity whose earlier ones are looked for: its columns. */
export interface ExpectingActivity {
  readonly kind: Sql
  readonly nodeId: Sql
  readonly nameKey: Sql
  readonly createdAt: Sql
}

/**
 * Columns {full_path, seconds} of the steps of an activity that ran before: the median duration of the last successes of
 * the step with the same full path, in activities with the same name on the same node that had ended when this one was
 * created. Steps that wait for a time or a person have no usual duration. It reads a limited number of rows, and nothing
 * is written for it (ADR 124).
 *
 * The earlier activities are the only table of the outer loop, so that PostgreSQL knows its order and stops at the limit
 * instead of sorting all of their steps.
 */
export const expectedSeconds = (own: ExpectingActivity): Sql<{ full_path: string; seconds: number }> => sql<{
  full_path: string
  seconds: number
}>`
  select success.full_path,
         round((percentile_cont(0.5) within group (order by success.seconds))::numeric, 3)::float8 as seconds
    from (select took.full_path, took.seconds,
                 row_number() over (partition by took.full_path order by took.created_at desc) as nth
            from (select earlier.created_at, step.full_path,
                         extract(epoch from step.finished_at - step.started_at)::float8 as seconds
                    from (select on_node.id, on_node.created_at
                            from (select e.id, e.created_at, e.kind, e.name_key, e.finished_at
                                    from activities e
                                   where e.node_id = ${own.nodeId} and e.created_at < ${own.createdAt}
                                   order by e.created_at desc, e.id desc
                                   limit ${mostOnNode}) on_node
                           where on_node.name_key = ${own.nameKey} and on_node.kind = ${own.kind}
                             and on_node.finished_at < ${own.createdAt}
                           order by on_node.created_at desc
                           limit ${mostActivities}) earlier
                   cross join lateral (
                         select s.full_path, s.started_at, s.finished_at
                           from steps s
                          where s.activity_id = earlier.id and s.status = 'success' and s.ran_as is null
                            and s.started_at is not null and s.step_type not in ('wait', 'input')
                         offset 0) step
                   order by earlier.created_at desc
                   limit ${mostSteps}) took) success
   where success.nth <= ${mostSuccesses}
   group by success.full_path`

/** `ExpectingActivity` of `activities a`. */
export const expectingActivity: ExpectingActivity = {
  kind: sql`a.kind`,
  nodeId: sql`a.node_id`,
  nameKey: sql`a.name_key`,
  createdAt: sql`a.created_at`,
}
