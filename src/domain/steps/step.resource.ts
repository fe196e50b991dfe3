import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import type { Column, ListRoute, ParentRow, Resource } from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'

/** The face of a step of a change (interface.md 6). Lists are in tree order, newest change first. */
export const stepResource = (keyring: Keyring): Resource => ({
  type: 'step',
  describe: 'One step of a change: an action, a stage, a wait or an input.',
  id: sql`s.id`,
  from: sql`steps s join activities a on a.id = s.activity_id and a.kind = 'change'`,
  lists: [{ path: '/api/steps' }, stepsOfChange],
  shows: [{ path: '/api/steps/:id', find: ({ id }) => sql`s.id = ${id}::uuid` }],
  columns: {
    action: text(sql`s.action`, 'Name of the action that it runs; null for waits and inputs.'),
    step_name: { kind: 'text', sql: sql`s.step_name`, describe: 'Its name.' },
    full_path: { kind: 'text', sql: sql`s.full_path`, describe: 'The names from the root down, joined by "/".' },
    description: text(sql`s.description`, 'What its author says of it.'),
    step_type: { kind: 'text', sql: sql`s.step_type`, describe: 'standard, wait, input or stage.' },
    step_sequence: { kind: 'integer', sql: sql`s.position`, describe: 'Its place among its siblings, from 0.' },
    status_code: { kind: 'text', sql: sql`s.reported_status`, describe: 'Its reported status.' },
    child_execution_strategy: {
      kind: 'text',
      sql: sql`s.child_execution_strategy`,
      describe: 'How its children run: sequential or parallel.',
    },
    ignore_failure: { kind: 'boolean', sql: sql`s.ignore_failure`, describe: 'Whether its failure is no failure.' },
    input_arguments: {
      kind: 'opaque',
      sql: sql`s.input_arguments`,
      describe: 'What an input step asks for.',
      nullable: true,
      read: (sealed, _, { id }) =>
        sealed === null ? [] : JSON.parse(keyring.openText(sealed as Buffer, `steps:${id}:input_arguments`)),
    },
    requires_approval_from: list(sql`s.requires_approval_from`, 'Who may approve it.'),
    approved_by: list(sql`s.approved_by`, 'Who approved it, and when.'),
    rejected_by: list(sql`s.rejected_by`, 'Who rejected it, and when.'),
    continued_by: text(sql`s.continued_by`, 'Who continued it.'),
    skip_requested: { kind: 'boolean', sql: sql`s.skip_requested`, describe: 'Whether the skip mask names it.' },
    attempt: { kind: 'integer', sql: sql`s.attempt`, describe: 'How often it was begun.' },
    outcome_reason: text(sql`s.outcome_reason`, 'Why it ended as it did, when its own action does not say.'),
    exit_code: { kind: 'integer', sql: sql`s.exit_code`, describe: 'Exit code of its action.', nullable: true },
    error_message: text(sql`s.error_message`, 'What went wrong.'),
    created_at: { kind: 'time', sql: sql`s.created_at`, describe: 'When it was made.' },
    started_at: time(sql`s.started_at`, 'When its newest attempt began.'),
    finished_at: time(sql`s.finished_at`, 'When it ended.'),
    updated_at: { kind: 'time', sql: sql`s.updated_at`, describe: 'When it last changed.' },
    state_timing: {
      kind: 'json',
      sql: sql`jsonb_build_object(
        'pending_seconds', extract(epoch from coalesce(s.queued_at, s.started_at, s.finished_at) - s.created_at)::float8,
        'queued_seconds', extract(epoch from s.started_at - s.queued_at)::float8,
        'running_seconds', extract(epoch from s.finished_at - s.started_at)::float8)`,
      describe: 'Seconds in each state; null while it lasts.',
      showOnly: true,
    },
    change_id: { kind: 'id', sql: sql`s.activity_id`, describe: 'The change that it belongs to.' },
    tree_order: { kind: 'text', sql: sql`s.tree_order`, describe: 'Sorts the steps of one change as they are read.' },
  },
  named: {
    for_change: {
      describe: 'The steps of this change.',
      sql: value => sql<boolean>`s.activity_id = ${value}::uuid`,
    },
    with_input_arguments: {
      describe: 'Steps that wait for input.',
      sql: value => switched(value, sql`(s.status = 'waiting' and s.input_arguments is not null)`),
    },
    without_input_arguments: {
      describe: 'Waiting steps that ask for nothing.',
      sql: value => switched(value, sql`(s.status = 'waiting' and s.input_arguments is null)`),
    },
    mine: {
      describe: 'Steps of changes that the caller made.',
      sql: (value, actor: Actor) => switched(value, sql`(a.user_id = ${actor.userId}::uuid)`),
    },
  },
  relationships: {
    change: {
      kind: 'one',
      type: 'change',
      sql: sql`s.activity_id`,
      describe: 'The change that it belongs to.',
      related: row => `/api/changes/${row['change_id']}`,
    },
    parent: { kind: 'one', type: 'step', sql: sql`s.parent_id`, describe: 'The step above it; null for the root.' },
    children: {
      kind: 'many',
      type: 'step',
      sql: sql`array(select below.id from steps below where below.parent_id = s.id order by below.position)`,
      describe: 'The steps beneath it, in order.',
    },
  },
  links: row => ({
    self: `/api/steps/${row.id}`,
    change: `/api/changes/${row['change_id']}`,
    log_lines: `/api/steps/${row.id}/log_lines`,
  }),
  // Approving, rejecting and continuing come with the commands that do it.
  meta: () => ({ can: [] }),
  defaultSort: [
    { column: 'change_id', direction: 'desc' },
    { column: 'tree_order', direction: 'asc' },
  ],
  limit: { default: 1000, maximum: 1000 },
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
})

const stepsOfChange: ListRoute = {
  path: '/api/changes/:id/steps',
  parent: ({ id }) => activityRow(String(id)),
  scope: parent => sql<boolean>`s.activity_id = ${parent.id}::uuid`,
}

/** The change or workflow run that a list hangs under. */
export const activityRow = (id: string): Sql<ParentRow> =>
  sql<ParentRow>`select id, path, project_id from activities where id = ${id}::uuid`

/** The step that a list hangs under. */
export const stepRow = (id: string): Sql<ParentRow> =>
  sql<ParentRow>`select id, path, project_id, activity_id, tree_order from steps where id = ${id}::uuid`

const text = (expression: Sql, describe: string): Column => ({
  kind: 'text',
  sql: expression,
  describe,
  nullable: true,
})

const time = (expression: Sql, describe: string): Column => ({
  kind: 'time',
  sql: expression,
  describe,
  nullable: true,
})

const list = (expression: Sql, describe: string): Column => ({ kind: 'json', sql: expression, describe })
