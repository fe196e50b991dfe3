import type { Rights } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { ParentRow } from '#platform/jsonapi/resource.ts'

/**
 * Conditions on lines, or chunks, `l` of `log_chunks`: to which log they belong, and whether the caller may read them.
 */

export const linesOfChange = ({ id }: ParentRow): Sql<boolean> => sql<boolean>`l.activity_id = ${id}::uuid`

/** Lines of an activity itself that the caller may read; the caller may read the activity. */
export function linesOfActivity(activityId: string, rights: Rights): Sql<boolean>[] {
  const undenied = ofUndeniedActions(rights)
  return [linesOfChange({ id: activityId } as ParentRow), ...(undenied ? [undenied] : [])]
}

/** Lines that a snapshot shows. */
export const linesSeenAt = (snapshot: string): Sql<boolean> =>
  sql<boolean>`pg_visible_in_snapshot(l.tx, ${snapshot}::pg_snapshot)`

/** Lines of a step itself: a step that a retry took over has those of the step that ran. */
export const linesOfStep = (parent: ParentRow): Sql<boolean> =>
  sql<boolean>`l.step_id = ${parent['ran_as'] as string}::uuid`

/** Lines of a workflow run and of the changes that it made. */
export const linesOfRun = (parent: ParentRow): Sql<boolean> => isIn(parent.id, madeByRun(parent))

/** Lines of a step of a workflow run, of the steps below it, and of the changes that they made. */
export const linesOfWorkflowStep = (parent: ParentRow): Sql<boolean> =>
  sql<boolean>`(${isIn(parent['activity_id'] as string, madeByTree(parent))} and ${ofTreeOrMade(parent)})`

/** Lines of a run and of what it made, without those of its other steps. */
export const ofTreeOrMade = (parent: ParentRow): Sql<boolean> =>
  sql<boolean>`(l.activity_id <> ${parent['activity_id'] as string}::uuid or ${linesOfTree(parent)})`

/** Ids of the activities that a run made. */
export const madeByRun = ({ id }: ParentRow): Sql => madeBy(sql`s.activity_id = ${id}::uuid`)

/** Ids of the activities that a step of a run and the steps below it made. */
export const madeByTree = (parent: ParentRow): Sql =>
  madeBy(sql`
    s.activity_id = ${parent['activity_id'] as string}::uuid
    and starts_with(s.tree_order, ${parent['tree_order'] as string})`)

/** Lines of an action that a rule on /log_lines denies are hidden: of its steps in any change, and of its changes. */
export function ofUndeniedActions(rights: Rights): Sql<boolean> | undefined {
  const undenied = rights.undenied?.('log_lines')
  if (!undenied) return undefined
  const denied = (action: Sql) => sql`(${action} is not null and not ${undenied(sql`('/log_lines/' || ${action})`)})`
  return sql<boolean>`(
    not exists (select from steps of_line where of_line.id = l.step_id and ${denied(sql`of_line.action`)})
    and not exists (select from changes of_line where of_line.id = l.activity_id and ${denied(sql`of_line.action`)}))`
}

/**
 * Condition on lines in the log of a run or of what it made: as one array, which an index is asked for, and not as an
 * *or*.
 */
const isIn = (runId: string, made: Sql): Sql<boolean> =>
  sql<boolean>`l.activity_id = any(array(select ${runId}::uuid union all select made_by.id from (${made}) made_by))`

/** A step that a retry took over wrote its log as the step that it ran as. */
export const linesOfTree = (parent: ParentRow): Sql<boolean> => sql<boolean>`
  l.step_id in (select coalesce(s.ran_as, s.id) from steps s
                 where s.activity_id = ${parent['activity_id'] as string}::uuid
                   and starts_with(s.tree_order, ${parent['tree_order'] as string}))`

/** The activities {id, step_id} that a run made, each with the step of this run that it is due to. */
export const madeByEachStep = (runId: string): Sql => madeBy(sql`s.activity_id = ${runId}::uuid`, sql`id, step_id`)

/**
 * The changes that steps `s` of a run made, and those of the runs that they made, with the step `step_id`. For a kept
 * step it is the child that ran before.
 */
const madeBy = (which: Sql, columns = sql`id`): Sql => sql`
  with recursive made as (
    select m.id, m.kind, s.id as step_id
      from steps s join activities m on m.workflow_step_id = coalesce(s.ran_as, s.id)
     where ${which} and s.step_type in ('change', 'workflow')
    union all
    select m.id, m.kind, made.step_id
      from made
      join steps s on s.activity_id = made.id and s.step_type in ('change', 'workflow')
      join activities m on m.workflow_step_id = coalesce(s.ran_as, s.id)
     where made.kind = 'workflow_run'
  )
  select ${columns} from made`
