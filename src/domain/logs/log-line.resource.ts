import type { Rights } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column, ParentRow, Resource } from '#platform/jsonapi/resource.ts'
import { logCategories } from '#protocol/runner-protocol.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import type { ActivityKind, LogOwners } from './log-owners.port.ts'
import { readLogPage } from './log-page-reader.tx.ts'
import { chunksOfPage } from './log-pages.sql.ts'
import { readLogText } from './log-text-reader.tx.ts'

/**
 * Lines of steps' logs. Lines of one step are in the order in which the runner numbered them; those of several steps by
 * time, then by step.
 */
export const logLineResource = ({ activityRow, stepRow }: LogOwners): Resource => ({
  type: 'log_line',
  describe: 'A log line of a step.',
  id: sql`l.id`,
  from: sql`log_lines l join activities a on a.id = l.activity_id`,
  where: isOfExistingNode(sql`a.node_id`),
  lists: [
    { path: '/api/log_lines' },
    {
      path: '/api/changes/:id/log_lines',
      parent: ({ id }) => activityRow(id!, 'change'),
      scope: parent => sql<boolean>`l.activity_id = ${parent.id}::uuid`,
    },
    {
      path: '/api/steps/:id/log_lines',
      parent: ({ id }) => stepRow(id!, 'change'),
      scope: (parent, query) =>
        query['include_child_steps'] === 'true'
          ? ofTree(parent)
          : sql<boolean>`l.step_id = ${parent['ran_as'] as string}::uuid`,
      parameters: {
        include_child_steps: {
          schema: { type: 'boolean' } as never,
          describe: 'Whether to include the lines of all child steps.',
        },
      },
    },
    {
      path: '/api/workflow_runs/:id/log_lines',
      parent: ({ id }) => activityRow(id!, 'workflow_run'),
      scope: ({ id }) => isIn(id, madeBy(sql`s.activity_id = ${id}::uuid`)),
    },
    {
      path: '/api/workflow_steps/:id/log_lines',
      parent: ({ id }) => stepRow(id!, 'workflow_run'),
      scope: parent => {
        const run = parent['activity_id'] as string
        const made = madeBy(sql`
          s.activity_id = ${run}::uuid and starts_with(s.tree_order, ${parent['tree_order'] as string})`)
        return sql<boolean>`(${isIn(run, made)} and (l.activity_id <> ${run}::uuid or ${ofTree(parent)}))`
      },
    },
  ],
  shows: [],
  columns: {
    message: column.longText(sql`l.message collate "C"`, 'The line, secrets masked.'),
    category: column.oneOf(sql`l.category`, logCategories, 'stdout, stderr, action, or runner for what Sluice says.'),
    level: column.oneOf(
      sql`(case l.category when 'stderr' then 'error' else 'info' end) collate "C"`,
      ['info', 'error'],
      'info, or error for what went to stderr.',
    ),
    sequence: column.integer(sql`l.seq`, 'Line number within the attempt, from 1.'),
    attempt: column.integer(sql`l.attempt`, 'The attempt of the step that wrote it.'),
    logged_at: column.time(sql`l.logged_at`, 'When the runner read it.'),
    step_id: ofKind('change', sql`nullif(l.step_id, l.activity_id)`, 'The step of a change that wrote it.'),
    change_id: ofKind('change', sql`l.activity_id`, 'The change that it belongs to.'),
    workflow_step_id: ofKind(
      'workflow_run',
      sql`nullif(l.step_id, l.activity_id)`,
      'Step of a workflow run that wrote it; lines of its changes have the steps of these.',
    ),
    workflow_run_id: ofKind('workflow_run', sql`l.activity_id`, 'The workflow run that it belongs to.'),
  },
  extra: { activity_id: sql`l.activity_id`, writer_id: sql`l.step_id`, first_seq: sql`l.first_seq`, kind: sql`a.kind` },
  links: row => {
    const [activity, step] = row['kind'] === 'change' ? ['change', 'step'] : ['workflow_run', 'workflow_step']
    return row['writer_id'] !== row['activity_id']
      ? { [step!]: `/api/${step}s/${row['writer_id']}` }
      : { [activity!]: `/api/${activity}s/${row['activity_id']}` }
  },
  order: 'newest last',
  defaultSort: [{ column: 'logged_at', direction: 'desc' }],
  key: {
    writer_id: column.id(sql`l.step_id`, 'The step that wrote it, or the activity itself.'),
    attempt: column.integer(sql`l.attempt`, 'The attempt of the step that wrote it.'),
    sequence: column.integer(sql`l.seq`, 'Line number within the attempt, from 1.'),
  },
  limit: { default: 10_000, maximum: 10_000 },
  large: true,
  within: chunksOfPage,
  readPage: readLogPage,
  plainText: 'message',
  readText: readLogText,
  rights: { projectId: sql`a.project_id`, path: sql`a.path`, furtherCondition: ofUndeniedActions },
})

/** Lines of an action that a rule on /log_lines denies are hidden: of its steps in any change, and of its changes. */
function ofUndeniedActions(rights: Rights): Sql<boolean> | undefined {
  const undenied = rights.undenied?.('log_lines')
  if (!undenied) return undefined
  const denied = (action: Sql) => sql`(${action} is not null and not ${undenied(sql`('/log_lines/' || ${action})`)})`
  return sql<boolean>`(
    not exists (select from steps of_line where of_line.id = l.step_id and ${denied(sql`of_line.action`)})
    and not exists (select from changes of_line where of_line.id = l.activity_id and ${denied(sql`of_line.action`)}))`
}

/**
 * An attribute of the lines of changes, or of those of runs. Lines of no step are stored under the id of their
 * activity.
 */
function ofKind(kind: ActivityKind, id: Sql, describe: string): Column {
  const name = kind === 'change' ? 'change' : 'workflow run'
  return {
    ...column.id(
      sql`(case a.kind when ${sql.raw(`'${kind}'`)} then ${id} end)`,
      `${describe} Absent where it is none of a ${name}.`,
    ),
    nullable: true,
    when: row => row['kind'] === kind,
  }
}

/**
 * Condition on lines in the log of a run or of what it made: as one array, which an index is asked for, and not as an
 * *or*.
 */
const isIn = (runId: string, made: Sql): Sql<boolean> =>
  sql<boolean>`l.activity_id = any(array(select ${runId}::uuid union all select made_by.id from (${made}) made_by))`

/** A step that a retry took over wrote its log as the step that it ran as. */
const ofTree = (parent: ParentRow): Sql<boolean> => sql<boolean>`
  l.step_id in (select coalesce(s.ran_as, s.id) from steps s
                 where s.activity_id = ${parent['activity_id'] as string}::uuid
                   and starts_with(s.tree_order, ${parent['tree_order'] as string}))`

/**
 * The changes that steps `s` of a run made, and those of the runs that they made. For a kept step it is the child that
 * ran before.
 */
const madeBy = (which: Sql): Sql => sql`
  with recursive made as (
    select m.id, m.kind
      from steps s join activities m on m.workflow_step_id = coalesce(s.ran_as, s.id)
     where ${which} and s.step_type in ('change', 'workflow')
    union all
    select m.id, m.kind
      from made
      join steps s on s.activity_id = made.id and s.step_type in ('change', 'workflow')
      join activities m on m.workflow_step_id = coalesce(s.ran_as, s.id)
     where made.kind = 'workflow_run'
  )
  select id from made`
