import type { Rights } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { all } from '#platform/jsonapi/select.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { madeByEachStep, ofUndeniedActions } from './log-scopes.sql.ts'

/**
 * Number of lines that a step has logged, as `GET …/log` counts them: the last line number of each attempt. The chunks
 * tell it without being decoded.
 */
export const logLineCount = (stepId: Sql): Sql => sql`
  (select coalesce(sum(attempts.lines), 0)::bigint
     from (select max(c.first_seq + c.line_count - 1) as lines
             from log_chunks c
            where c.step_id = ${stepId}
            group by c.attempt) attempts)`

/** Number of lines `c` of a chunk that went to stderr. Counting those of a million lines takes 30 ms. */
const errorsInChunk = sql`cardinality(array_positions(c.categories, 'stderr'))`

/** Number of lines that a step has written to stderr. */
export const errorLineCount = (stepId: Sql): Sql => sql`
  (select coalesce(sum(${errorsInChunk}), 0)::bigint from log_chunks c where c.step_id = ${stepId})`

/** Columns {step_id, lines, errors} of the steps that have written to the log of an activity, or that it has taken over. */
export const lineCountsByStep = (activityId: string): Sql => sql`
  select attempts.step_id, sum(attempts.lines)::bigint as lines, sum(attempts.errors)::bigint as errors
    from (select c.step_id, c.attempt, max(c.first_seq + c.line_count - 1) as lines, sum(${errorsInChunk}) as errors
            from log_chunks c
           where c.activity_id = ${activityId}::uuid
              or c.step_id = any(array(select s.ran_as from steps s
                                        where s.activity_id = ${activityId}::uuid and s.ran_as is not null))
           group by c.step_id, c.attempt) attempts
   group by attempts.step_id`

/**
 * Columns {step_id, lines} of the steps of a workflow run that have made something: the number of lines that the caller
 * may read of what each of them made, as `GET …/log` of the step counts them.
 */
export const madeLineCounts = (runId: string, rights: Rights): Sql<{ step_id: string; lines: number }> => {
  const undenied = ofUndeniedActions(rights)
  const readable = [
    isOfExistingNode(sql`a.node_id`),
    rights.visible({ projectId: sql`a.project_id`, path: sql`a.path` }),
    ...(undenied ? [undenied] : []),
  ]
  return sql<{ step_id: string; lines: number }>`
    select made.step_id, sum(l.line_count)::bigint as lines
      from (${madeByEachStep(runId)}) made
      join activities a on a.id = made.id
      join log_chunks l on l.activity_id = made.id
     where ${all(readable)}
     group by made.step_id`
}

/** Text that changes whenever a line is added to the log of an activity `a`. */
export const logVersion = sql`
  (select count(*) || '-' || coalesce(sum(c.line_count), 0) from log_chunks c where c.activity_id = a.id)`
