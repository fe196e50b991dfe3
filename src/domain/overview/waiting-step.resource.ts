import type { Actor } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import { column } from '#platform/jsonapi/columns.ts'
import type { Resource, Row } from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'
import { underNode } from '#platform/jsonapi/under.ts'
import { actionPath, decisionsFor, metadataColumns, stepDecisions, stepsThatWait } from '../changes/index.ts'
import { isOfExistingNode, isProjectOf } from '../nodes/index.ts'
import { stepWaits } from '../steps/index.ts'
import { runPath } from '../workflow-runs/index.ts'

const { waits, for_approval, rules_of_approval, approvals, made_by } = stepDecisions.extra!
const needed = { waits, for_approval, rules_of_approval, approvals, made_by } as NonNullable<Resource['extra']>

/** Waiting steps of changes and workflow runs in one list. A record has the id of its step. */
export const waitingStepResource: Resource = {
  type: 'waiting_step',
  describe: 'A step of a change or of a workflow run that waits: for approvals, for input, or to be continued.',
  from: sql`steps s join activities a on a.id = s.activity_id left join changes c on c.id = a.id
             left join workflow_runs r on r.id = a.id`,
  joins: {
    // Counted for each step of the page: activities have up to tens of thousands of steps.
    counted: sql`left join lateral (
                   select count(*)::int as steps from steps each where each.activity_id = a.id) counted on true`,
  },
  id: sql`s.id`,
  where: sql<boolean>`${stepWaits} and ${isOfExistingNode(sql`a.node_id`)}`,
  lists: [{ path: '/api/waiting_steps' }],
  shows: [],
  columns: {
    step_name: column.text(sql`s.step_name`, 'Name of the step.'),
    full_path: column.text(sql`s.full_path`, 'The names from the root down, joined by "/".'),
    description: column.textOrNull(sql`s.description`, 'Description by its author.'),
    status_code: column.oneOf(
      sql`s.reported_status`,
      ['waiting', 'waiting_for_approval'],
      'waiting or waiting_for_approval.',
    ),
    waits_for: column.oneOf(
      sql`(case when s.needs_approval then 'approval'
                when s.input_arguments is not null then 'input'
                when s.wake_at is not null then 'timer'
                else 'continue' end collate "C")`,
      ['approval', 'input', 'timer', 'continue'],
      'What it waits for: approval, input, timer (it continues by itself) or continue.',
    ),
    waiting_since: column.time(sql`coalesce(s.started_at, s.created_at)`, 'When it began to wait.'),
    wakes_at: column.timeOrNull(sql`s.wake_at`, 'When it continues by itself; null if a user continues it.'),
    requires_approval_from: column.json(sql`s.requires_approval_from`, 'Approval rules.'),
    approved_by: column.json(sql`s.approved_by`, 'Approvals so far: by whom, when, and with which message.'),
    activity_id: column.id(sql`s.activity_id`, 'The change or workflow run that it belongs to.'),
    activity_type: column.oneOf(sql`a.kind`, ['change', 'workflow_run'], 'change or workflow_run.'),
    node_path: column.text(sql`s.path`, 'Path of the node that the activity runs on.'),
    action: column.textOrNull(sql`c.action`, 'Changes: name of the action.'),
    workflow_code: column.textOrNull(sql`r.workflow_code`, 'Workflow runs: code of the workflow.'),
    template_version: column.textOrNull(
      sql`c.template_version`,
      'Changes: template version that their actions come from.',
    ),
    commit_sha: column.textOrNull(sql`c.commit_sha`, 'Changes: commit that their actions come from.'),
    workflow_version: column.integerOrNull(sql`r.version`, 'Workflow runs: version of the workflow.'),
    step_count: {
      ...column.integer(sql`counted.steps`, 'Number of all steps of the activity, groups included.'),
      joined: true,
    },
    plan_sha: column.textOrNull(sql`c.plan_sha`, 'Changes: hash of the plan of the change, which an approver signs.'),
    metadata: column.json(sql`coalesce(c.metadata, r.metadata)`, 'Metadata attached to the activity by its creator.'),
    created_by: column.text(sql`a.created_by`, 'User who created the activity.'),
    created_at: column.time(sql`s.created_at`, 'When the step was created.'),
  },
  dynamic: metadataColumns(sql`coalesce(c.metadata, r.metadata)`),
  extra: needed,
  named: {
    ...stepsThatWait(sql`s.path || coalesce('/actions/' || c.action, '/workflows/' || r.workflow_code)`),
    mine: {
      describe: 'Steps of activities that the caller made.',
      sql: (value, actor: Actor) => switched(value, sql`(a.user_id = ${actor.userId}::uuid)`),
    },
    ...underNode(sql`s.path`, path => isProjectOf(sql`s.project_id`, path)),
  },
  relationships: {
    step: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', s.id, 'type', case a.kind when 'change' then 'step' else 'workflow_step' end)`,
      paths: 'own',
      describe: 'The step itself.',
      related: stepPath,
    },
    activity: {
      kind: 'one',
      type: 'any',
      sql: sql`jsonb_build_object('id', a.id, 'type', a.kind)`,
      paths: 'own',
      describe: 'The change or workflow run that it belongs to.',
      related: row => `/api/${row['activity_type']}s/${row['activity_id']}`,
    },
  },
  links: row => ({ step: stepPath(row) }),
  meta: (row, { actor }) => ({ can: decisionsFor(row, actor, executePathOf(row)) }),
  defaultSort: [{ column: 'created_at', direction: 'desc' }],
  limit: { default: 100, maximum: 1_000 },
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
}

const isOfChange = (row: Row): boolean => row['activity_type'] === 'change'

function stepPath(row: Row): string {
  return `/api/${isOfChange(row) ? 'steps' : 'workflow_steps'}/${row.id}`
}

/** Path on which the right to continue the step is checked. */
function executePathOf(row: Row): string {
  const path = String(row['node_path'])
  return isOfChange(row) ? actionPath(path, String(row['action'])) : runPath(path, String(row['workflow_code']))
}
