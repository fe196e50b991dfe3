import { type Sql, sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Column, Resource } from '#platform/jsonapi/resource.ts'
import { logCategories } from '#protocol/runner-protocol.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import type { ActivityKind, LogOwners } from './log-owners.port.ts'
import { readLogPage } from './log-page-reader.tx.ts'
import { chunksOfPage } from './log-pages.sql.ts'
import {
  linesOfChange,
  linesOfRun,
  linesOfStep,
  linesOfTree,
  linesOfWorkflowStep,
  ofUndeniedActions,
} from './log-scopes.sql.ts'
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
      scope: linesOfChange,
    },
    {
      path: '/api/steps/:id/log_lines',
      parent: ({ id }) => stepRow(id!, 'change'),
      scope: (parent, query) => (query['include_child_steps'] === 'true' ? linesOfTree(parent) : linesOfStep(parent)),
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
      scope: linesOfRun,
    },
    {
      path: '/api/workflow_steps/:id/log_lines',
      parent: ({ id }) => stepRow(id!, 'workflow_run'),
      scope: linesOfWorkflowStep,
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
